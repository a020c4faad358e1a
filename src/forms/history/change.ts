/** What kind of change it is. */
export type ChangeKind =
  | 'added'
  | 'removed'
  | 'moved'
  | 'renamed'
  | 'relabelled'
  | 'kind'
  | 'rule'
  | 'condition'
  | 'choice_added'
  | 'choice_removed'
  | 'choice_changed'
  | 'layout'
  | 'signature'
  | 'whole';

/** One difference between two versions of a form. */
export interface Change {
  change: ChangeKind;
  /** The id of what changed; null where it is the form as a whole. */
  item: string | null;
  label: string | null;
  sentence: string;
  before: string | null;
  after: string | null;
}

const COUNTED: Record<ChangeKind, string> = {
  added: 'added',
  removed: 'removed',
  moved: 'moved',
  renamed: 'renamed',
  relabelled: 'reworded',
  kind: 'of another kind',
  rule: 'rules changed',
  condition: 'conditions changed',
  choice_added: 'choices added',
  choice_removed: 'choices removed',
  choice_changed: 'choices changed',
  layout: 'in the layout',
  signature: 'in the signature',
  whole: 'in the form as a whole',
};

/** All changes in one sentence: the only one as it is, several by their number. */
export function sumUp(changes: readonly Change[]): string {
  const [only] = changes;
  if (only === undefined) return 'Nothing changed.';
  if (changes.length === 1) return only.sentence;
  const counted = [...Map.groupBy(changes, ({ change }) => change)].map(([kind, list]) => {
    return `${list.length} ${COUNTED[kind]}`;
  });
  return `${changes.length} changes: ${counted.join(', ')}.`;
}
