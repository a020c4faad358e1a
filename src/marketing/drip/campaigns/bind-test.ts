import type { Tx } from '../../../platform/db/database.ts';
import { requireOwnList } from '../../lists/require-own-list.ts';
import { findMailing } from '../../mailings/mailing.ts';
import type { Filters } from '../../segments/filters/filters.ts';
import { type Asker, readFilters } from '../../segments/filters/read-filters.ts';
import { findSegment } from '../../segments/segment.ts';
import type { Happening, Test } from '../graph/graph.ts';
import type { Goal } from './drip.ts';
import { requireOwnForm } from './own-form.ts';
import type { WishedGoal } from './read-goal.ts';

/** Whom a test fits, by the rule that a segment has at this moment; null where it is about what they did with a mailing. */
export async function bindTest(tx: Tx, asker: Asker, test: Test): Promise<Filters | null> {
  const { customerId, requireOwn } = asker;
  if ('field' in test) return readFilters(tx, asker, [[test]]);
  if ('filters' in test) return readFilters(tx, asker, test.filters);
  if ('segment' in test) return (await findSegment(tx, requireOwn, customerId, test.segment, 'segment')).filters;
  const [name, id] = 'opened' in test ? ['opened', test.opened] : ['clicked', test.clicked];
  await findMailing(tx, requireOwn, customerId, Number(id), name);
  return null;
}

/** Throws unless what is to happen is about something of the customer. */
export async function requireOwnSubject(tx: Tx, asker: Asker, happening: Happening): Promise<void> {
  const { customerId, requireOwn } = asker;
  if ('campaign_mailing_id' in happening) {
    await findMailing(tx, requireOwn, customerId, Number(happening.campaign_mailing_id), 'campaign_mailing_id');
  } else if ('subscription_list_id' in happening) {
    await requireOwnList(tx, requireOwn, customerId, Number(happening.subscription_list_id));
  } else if (happening.event === 'form_submitted' && happening.form_id !== undefined) {
    await requireOwnForm(tx, asker, happening.form_id);
  }
}

/** What a drip is to bring about, as it is kept. */
export async function bindGoal(tx: Tx, asker: Asker, goal: WishedGoal): Promise<Goal> {
  if ('test' in goal) return { test: goal.test, filters: await bindTest(tx, asker, goal.test) };
  await requireOwnSubject(tx, asker, goal.happening);
  return goal;
}
