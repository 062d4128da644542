/**
 * The live socket (docs/reference/live.md): one a tab, resumed by the last seq, honest about silence.
 *
 * A socket that says nothing for STALE_S is dead, whatever the network claims: after a sleep, behind a cut cable or a
 * stopped server it would stay "open" for minutes. So silence closes it, and the next one resumes.
 */

import { heardAnything, silenceS, STALE_S } from "./links.js";

/**
 * @typedef {{type: string, episode: string, seq?: number, stream?: string, met_s: number, body: any}} Message
 * @typedef {{state: "open" | "lost" | "closed", tries: number, seq: number, code?: number}} Health
 */

const WAITS_MS = [0, 250, 500, 1000];
const CONNECT_MS = 2000;
const LOOK_MS = 250;
/** Close codes after which asking again is no use: signed out, foreign origin, no such episode, no such seq. */
const FINAL = [4400, 4401, 4403, 4404];
/** What this page shows is not in the journal: another database, or an older one, answers now. */
const AHEAD = 4412;

export class Live {
  /**
   * @param {string} episode
   * @param {number} seq The newest event that the page shows.
   * @param {{message: (message: Message) => void, gap: () => void, health: (health: Health) => void}} told
   */
  constructor(episode, seq, told) {
    this.episode = episode;
    this.seq = seq;
    this.told = told;
    this.tries = 0;
    this.isOpen = false;
    this.isOver = false;
    this.began = 0;
    this.next = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
  }

  start() {
    this.connect();
    setInterval(() => this.look(), LOOK_MS);
    for (const sign of ["online", "pageshow", "focus"]) addEventListener(sign, () => this.look());
    document.addEventListener("visibilitychange", () => this.look());
  }

  /** Is it still alive? Timers stop while a laptop sleeps, so time is read, never counted. */
  look() {
    if (this.isOver) return;
    const now = performance.now();
    if (this.socket === null) {
      if (now >= this.next) this.connect();
    } else if (this.isOpen ? silenceS() > STALE_S : now - this.began > CONNECT_MS) {
      this.drop();
    }
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const asked = new URLSearchParams({ episode: this.episode, after: String(this.seq) });
    const socket = new WebSocket(`${scheme}://${location.host}/live?${asked}`);
    this.socket = socket;
    this.began = performance.now();
    socket.onmessage = (event) => socket === this.socket && this.heard(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.closed(event);
  }

  /** @param {Message} message */
  heard(message) {
    heardAnything();
    if (!this.isOpen) {
      this.isOpen = true;
      this.tries = 0;
      this.told.health({ state: "open", tries: 0, seq: this.seq });
    }
    if (message.type === "age") this.socket?.send('{"type": "pong"}');
    if (message.type === "event") {
      const seq = message.seq ?? 0;
      if (seq <= this.seq) return;
      if (seq > this.seq + 1) this.told.gap();
      this.seq = seq;
    }
    this.told.message(message);
  }

  /** @param {CloseEvent} event */
  closed(event) {
    if (FINAL.includes(event.code)) {
      this.isOver = true;
      this.isOpen = false;
      this.socket = null;
      this.told.health({ state: "closed", tries: this.tries, seq: this.seq, code: event.code });
      return;
    }
    if (event.code === AHEAD) {
      this.seq = 0;
      this.told.gap();
    }
    this.again();
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.again();
  }

  again() {
    this.socket = null;
    this.isOpen = false;
    const wait = WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)];
    this.tries += 1;
    this.next = performance.now() + wait * (0.8 + 0.4 * Math.random());
    this.told.health({ state: "lost", tries: this.tries, seq: this.seq });
  }
}
