import type { AuditEntry } from '../../audit/read-log.ts';
import { isDisclosure } from './action-kinds.ts';

/** Something kept about somebody, by its id. */
export interface RecordRef {
  kind: 'submission' | 'message' | 'subscriber' | 'suppression';
  id: string;
}

/** All that was there at a moment: the submissions of a form before an id, everybody on the lists, or all of both and the mail. */
export interface WholeRef {
  kind: 'form' | 'everybody' | 'everything';
  /** The form; '' for the others. */
  id: string;
  /** What has a later id came after. */
  before: string;
}

/** What a row of the audit log says was shown. */
export interface Shown {
  records: RecordRef[];
  wholes: WholeRef[];
}

const OF_A_PERSON = new Set(['mailing.explained', 'mailing.previewed']);

type Told = Pick<AuditEntry, 'id' | 'action' | 'target' | 'details'>;

/** Which records an act showed to whoever did it. */
export function recordsOf(entry: Told): Shown {
  if (!isDisclosure(entry.action)) return { records: [], wholes: [] };
  const { action, target } = entry;
  const details = entry.details ?? {};
  if (details.everybody === true) return { records: [], wholes: [{ kind: 'everybody', id: '', before: entry.id }] };
  if (action === 'customer.exported')
    return { records: [], wholes: [{ kind: 'everything', id: '', before: entry.id }] };
  if (action === 'submissions.exported') {
    const before = typeof details.before === 'string' ? details.before : entry.id;
    return { records: [], wholes: target === null ? [] : [{ kind: 'form', id: target, before }] };
  }
  const named = [
    ...listed('submission', details.submissions),
    ...listed('message', details.messages),
    ...listed('subscriber', details.subscribers),
    ...listed('suppression', details.suppressions),
    ...listed('submission', details.submission),
    ...listed('subscriber', details.subscriber),
  ];
  return { records: named.length > 0 ? named : listed(targetKind(action), target), wholes: [] };
}

/** What the target of an act is where its details name no records. */
function targetKind(action: string): RecordRef['kind'] | null {
  if (action.startsWith('submission.') || action === 'person.exported') return 'submission';
  if (action.startsWith('message.') || action === 'receipt.read') return 'message';
  return action.startsWith('subscriber.') || OF_A_PERSON.has(action) ? 'subscriber' : null;
}

function listed(kind: RecordRef['kind'] | null, ids: unknown): RecordRef[] {
  if (kind === null) return [];
  const all = Array.isArray(ids) ? ids : [ids];
  return all.filter((id) => typeof id === 'string').map((id) => ({ kind, id }));
}
