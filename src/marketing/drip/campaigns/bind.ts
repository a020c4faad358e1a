import { readTarget } from '../../../email/index.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { TargetRules } from '../../../platform/net/target-url.ts';
import type { FieldType } from '../../fields/field-type.ts';
import { listFieldTypes } from '../../fields/field-types.ts';
import { readValue } from '../../fields/read-value.ts';
import { requireOwnList } from '../../lists/require-own-list.ts';
import { findMailing, subjectLine } from '../../mailings/mailing.ts';
import { prepareMailing, requireStillSendable } from '../../mailings/prepare.ts';
import type { Asker } from '../../segments/filters/read-filters.ts';
import type { EmailNode, FieldNode, Graph, Node } from '../graph/graph.ts';
import { bindTest, requireOwnSubject } from './bind-test.ts';
import type { Bound, Steps } from './version.ts';

/** Whose steps are bound, and what they may call. */
export interface Binding extends Asker {
  targetRules: TargetRules;
}

interface Context extends Binding {
  types: readonly FieldType[];
  /** What the steps are bound to already, and keep to. */
  known: Record<string, Bound>;
  /** The versions of mailings that are known to be fit for sending, by mailing, version and subject. */
  sendable: Map<string, number>;
}

/**
 * Finds what the steps name, as it is at this moment: the same for everybody who goes by them. Throws naming the step
 * where something is not there, is another customer's, or must not be used like that.
 */
export async function bindGraph(
  tx: Tx,
  binding: Binding,
  graph: Graph,
  known: Record<string, Bound> = {},
): Promise<Record<string, Bound>> {
  const types = await listFieldTypes(tx, binding.customerId);
  const context = { ...binding, types, known, sendable: new Map<string, number>() };
  const bound: [string, Bound][] = [];
  for (const node of graph.nodes) {
    const found = await atStep(node.id, () => bindStep(tx, context, node));
    if (found !== null) bound.push([node.id, found]);
  }
  return Object.fromEntries(bound);
}

/**
 * Throws, naming the field that chose them, where steps must not be used as they were bound: a field may have become health
 * data since.
 */
export async function requireUsable(
  tx: Tx,
  binding: Binding,
  { graph, bound }: Steps,
  chosenBy: 'version' | 'to_version',
): Promise<void> {
  try {
    await bindGraph(tx, binding, graph, bound);
  } catch (error) {
    const [told] = error instanceof AppError ? Object.values(error.fields).flat() : [];
    if (told === undefined) throw error;
    throw new AppError((error as AppError).code, `${chosenBy}: ${told}`, { fields: { [chosenBy]: [told] } });
  }
}

/** Does what concerns one step; what is wrong with it says which. */
async function atStep<T>(id: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw stepFault(error.code, id, error.message);
  }
}

/** The refusal of one step. */
export function stepFault(code: AppError['code'], id: string, rule: string): AppError {
  const told = `step ${id}: ${rule}`;
  return new AppError(code, `drip_campaign.steps: ${told}`, { fields: { 'drip_campaign.steps': [told] } });
}

async function bindStep(tx: Tx, context: Context, node: Node): Promise<Bound | null> {
  switch (node.type) {
    case 'email':
      return { mailing_version: await sendableVersion(tx, context, node) };
    case 'branch': {
      const filters = await bindTest(tx, context, node.if);
      return filters === null ? null : { filters };
    }
    case 'wait':
      await requireOwnSubject(tx, context, node.for);
      break;
    case 'list': {
      const [name, id] = 'add' in node ? ['add', node.add] : ['remove', node.remove];
      await requireOwnList(tx, context.requireOwn, context.customerId, Number(id), name);
      break;
    }
    case 'field':
      return { field: requireFitting(context.types, node) };
    case 'webhook':
      readTarget(node.url, context.targetRules);
      break;
    case 'delay':
    case 'exit':
      break;
  }
  return null;
}

/**
 * The version of a mailing that a step keeps to, or the newest, once it is known to say something that may be sent under the
 * subject of the step.
 */
async function sendableVersion(tx: Tx, context: Context, node: EmailNode): Promise<number> {
  const { customerId, requireOwn, types, sendable } = context;
  const { campaign_mailing_id: id, subject } = node;
  const version = context.known[node.id]?.mailing_version;
  const key = JSON.stringify([id, version, subject]);
  const known = sendable.get(key);
  if (known !== undefined) return known;
  const mailing = await findMailing(tx, requireOwn, customerId, Number(id), 'campaign_mailing_id', { version });
  const prepared =
    version === undefined
      ? prepareMailing(mailing.template_type, mailing, subject ?? subjectLine(mailing), types)
      : requireStillSendable(mailing, subject, types);
  if (prepared === null) throw new AppError('unprocessable', 'campaign_mailing_id: the mailing says nothing yet');
  sendable.set(key, mailing.version);
  return mailing.version;
}

/** The number of the field that a step sets, once the value is known to be one of its kind. */
function requireFitting(types: readonly FieldType[], { name, value }: FieldNode): number {
  const type = types.find((each) => each.name === name);
  if (type === undefined) throw new AppError('unprocessable', 'name: there is no such custom field');
  if (type.class === 'phi' && value !== '') {
    throw new AppError('unprocessable', 'value: is about health, and would stand in the clear in the steps');
  }
  const read = readValue(type.kind, value);
  if ('rule' in read) throw new AppError('unprocessable', `value: ${read.rule}`);
  return type.number;
}
