"""The index of moments: made from journals and annotations, caught up when somebody searches."""
