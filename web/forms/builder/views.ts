/** The parts of the builder, each with an address of its own. */
export const VIEWS = ['build', 'look', 'languages', 'settings', 'preview'] as const;

export type View = (typeof VIEWS)[number];

/** The part that an address names. */
export function readView(search: Record<string, unknown>): { view?: View } {
  const view = VIEWS.find((each) => each === search['view']);
  return view === undefined || view === 'build' ? {} : { view };
}
