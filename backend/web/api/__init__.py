"""The same commands and reads as the pages, as JSON under /api/v1. An operation is a row of a table: its
route, its description in OpenAPI and who may use it all come from there."""
