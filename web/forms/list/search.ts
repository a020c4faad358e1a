export const SHOWN = ['all', 'active', 'inactive', 'archived'] as const;
const ORDERS = ['created_at', 'title', 'updated_at', 'submission_count'] as const;

/** What the address of the list says: which forms, in which order. What somebody looks for stays out of it. */
export interface FormsSearch {
  show?: (typeof SHOWN)[number];
  by?: (typeof ORDERS)[number];
  order?: 'asc' | 'desc';
}

/** Reads the address; what it does not know is left out. */
export function readFormsSearch(search: Record<string, unknown>): FormsSearch {
  const show = SHOWN.find((each) => each === search['show']);
  const by = ORDERS.find((each) => each === search['by']);
  const order = search['order'] === 'asc' ? 'asc' : search['order'] === 'desc' ? 'desc' : undefined;
  return {
    ...(show === undefined ? {} : { show }),
    ...(by === undefined ? {} : { by }),
    ...(order === undefined ? {} : { order }),
  };
}

/** The parameters of the API for what is shown. */
export function flagsOf(show: FormsSearch['show']): { active?: string; archived: string } {
  if (show === 'archived') return { archived: 'true' };
  if (show === 'active') return { active: 'true', archived: 'false' };
  return show === 'inactive' ? { active: 'false', archived: 'false' } : { archived: 'false' };
}
