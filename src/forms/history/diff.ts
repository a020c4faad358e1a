import type { FormVersion } from '../definition/compiled-versions.ts';
import type { Page, Question, RepeatingGroup } from '../model/form-model.ts';
import type { Change, ChangeKind } from './change.ts';
import { choiceChanges } from './choice-changes.ts';
import { conditionChanges, knownNames } from './condition-changes.ts';
import { movedParts } from './moves.ts';
import { labelOf, type Part, partsOf, told } from './parts.ts';
import { ruleChanges, upper } from './rule-changes.ts';
import { wholeChanges } from './whole-changes.ts';

type Compared = Omit<FormVersion, 'version'>;

/** What changed from one version of a form to another, in words. Nothing did where both are the same. */
export function diffVersions(before: Compared, after: Compared): Change[] {
  if (before.hash === after.hash) return [];
  const changes = [...modelChanges(before, after), ...wholeChanges(before, after)];
  if (changes.length > 0) return changes;
  const sentence = 'The definition is written otherwise, and asks the same.';
  return [{ change: 'whole', item: null, label: null, sentence, before: null, after: null }];
}

function modelChanges(before: Compared, after: Compared): Change[] {
  const [old, now] = [partsOf(before.model), partsOf(after.model)];
  const [was, is] = [new Map(old.map((part) => [part.key, part])), new Map(now.map((part) => [part.key, part]))];
  const [known, knownNow] = [knownNames(old), knownNames(now)];
  return [
    ...now.filter(({ key }) => !was.has(key)).map(added),
    ...old.filter(({ key }) => !is.has(key)).map((part) => tell('removed', part, 'was removed', labelOf(part), null)),
    ...movedParts(was, now).map((part) => moved(was.get(part.key), part)),
    ...now.flatMap((part) => {
      const previous = was.get(part.key);
      if (previous === undefined) return [];
      return [
        ...wordChanges(previous, part),
        ...conditionChanges(previous.item, known, part, knownNow),
        ...(isAsked(previous) && isAsked(part) ? askedChanges(previous, part) : []),
      ];
    }),
  ];
}

function added(part: Part): Change {
  return tell('added', part, `was added${placeOf(part)}`, null, labelOf(part));
}

function moved(previous: Part | undefined, part: Part): Change {
  const [from, to] = [previous?.parent, part.parent].map((parent) => (parent ? labelOf(parent) : null));
  return tell('moved', part, `was moved${placeOf(part)}`, from ?? null, to ?? null);
}

/** Where something stands: behind what, or at the beginning of what. */
function placeOf({ previous, parent }: Part): string {
  if (previous !== null) return ` behind ${told(previous)}`;
  return parent === null ? ' to the beginning of the form' : ` to the beginning of ${told(parent)}`;
}

function wordChanges(previous: Part, part: Part): Change[] {
  const [from, to] = [labelOf(previous), labelOf(part)];
  if (from === to) return [];
  const words = to === null ? 'has no title any more' : `reads "${to}" now`;
  return [{ ...tell('relabelled', previous, words, from, to), label: to }];
}

type AskedPart = Part & { item: Question | RepeatingGroup };

function isAsked(part: Part): part is AskedPart {
  return 'name' in part.item;
}

function askedChanges({ item: old }: AskedPart, part: AskedPart): Change[] {
  const { item: now } = part;
  const renamed = `has the name "${now.name}" now, and not "${old.name}"`;
  const changed = `is of the kind ${inWords(now.kind)} now, and not ${inWords(old.kind)}`;
  return [
    ...(old.name === now.name ? [] : [tell('renamed', part, renamed, old.name, now.name)]),
    ...(old.kind === now.kind ? [] : [tell('kind', part, changed, inWords(old.kind), inWords(now.kind))]),
    ...ruleChanges(old, part),
    ...choiceChanges(old, part),
  ];
}

function inWords(kind: Question['kind'] | 'group'): string {
  return kind === 'group' ? 'repeating group' : kind.replace('_', ' ');
}

function tell(change: ChangeKind, part: Part, words: string, before: string | null, after: string | null): Change {
  const { id } = part.item as Page;
  return { change, item: id, label: labelOf(part), sentence: `${upper(told(part))} ${words}.`, before, after };
}
