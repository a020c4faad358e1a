/** Something of a form that keeps people from filling it in, or makes it harder. It names places, never answers. */
export interface Finding {
  /** An error makes the form unusable for somebody; a warning is worth a look. */
  severity: 'error' | 'warning';
  /** The name of the question, or where in the form it is; null for the form as a whole. */
  field: string | null;
  words: string;
}

/** Makes it an error. */
export function error(field: string | null, words: string): Finding {
  return { severity: 'error', field, words };
}

/** Makes it a warning. */
export function warning(field: string | null, words: string): Finding {
  return { severity: 'warning', field, words };
}
