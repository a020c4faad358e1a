import { isSame } from './draft.ts';
import { isFork, type Step } from './step.ts';
import { type Standing, standingsOf } from './tree.ts';

/** What became of a step from one version to another. */
export type Difference =
  | { what: 'added'; step: Step }
  | { what: 'removed'; step: Step }
  | { what: 'changed'; step: Step; before: Step }
  | { what: 'moved'; step: Step };

/** How the steps of a version differ from those of an earlier one, in the order in which they are read. */
export function differencesOf(before: readonly Step[], after: readonly Step[]): Difference[] {
  const old = byId(before);
  const now = byId(after);
  const shared = (id: string) => old.has(id) && now.has(id);
  return [
    ...[...now.values()].flatMap(({ step }): Difference[] => {
      const was = old.get(step.id);
      if (was === undefined) return [{ what: 'added', step }];
      if (!isSame(ownOf(step), ownOf(was.step))) return [{ what: 'changed', step, before: was.step }];
      return neighbourOf(before, was, shared) === neighbourOf(after, now.get(step.id), shared)
        ? []
        : [{ what: 'moved', step }];
    }),
    ...[...old.values()].flatMap(({ step }): Difference[] => (now.has(step.id) ? [] : [{ what: 'removed', step }])),
  ];
}

function byId(steps: readonly Step[]): Map<string, Standing> {
  return new Map(standingsOf(steps).map((standing) => [standing.step.id, standing]));
}

/** A step without what stands in it. */
function ownOf(step: Step): unknown {
  return isFork(step) ? { ...step, then: null, else: null } : step;
}

/** In which list a step stands, and after which of the steps that both versions have. */
function neighbourOf(steps: readonly Step[], standing: Standing | undefined, shared: (id: string) => boolean): string {
  if (standing === undefined) return '';
  const { fork, arm, index } = standing.place;
  const before = standingsOf(steps).findLast(
    ({ step, place }) => place.fork === fork && place.arm === arm && place.index < index && shared(step.id),
  );
  return `${fork ?? ''}/${arm}/${before?.step.id ?? ''}`;
}
