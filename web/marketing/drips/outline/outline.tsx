import { DoorOpen, Flag, PenLine, Target } from 'lucide-react';
import { classes } from '../../../ui/classes.ts';
import { words } from '../../../words/drips/steps.ts';
import { words as page } from '../../../words/drips.ts';
import { AddStepMenu } from '../canvas/add-step-menu.tsx';
import { useEditing } from '../editing.ts';
import { entryInWords, goalInWords } from '../model/in-words.ts';
import { ENTRY } from '../model/links.ts';
import { ABOUT_CAMPAIGN, ABOUT_ENTRY, ABOUT_GOAL } from '../model/problems.ts';
import { type Arm, armsOf, isFork, type Step } from '../model/step.ts';
import { OutlineRow, type Row } from './outline-row.tsx';

/** The same steps as on the canvas, as a list for the keyboard, for screen readers and for narrow windows. */
export function Outline({ foot }: { foot: Row['foot'] }) {
  const { draft, names } = useEditing();
  return (
    <section aria-label={page.outline} className="flex flex-col gap-2 rounded-lg border bg-surface p-3 sm:p-4">
      <p className="text-sm text-soft">{page.outlineHint}</p>
      <Around part={ABOUT_CAMPAIGN} icon={PenLine} title={words.campaign} line={draft.name} />
      <Around
        part={ABOUT_ENTRY}
        icon={DoorOpen}
        title={words.entry}
        line={entryInWords(draft, names)}
        foot={foot(ENTRY)}
      />
      <StepList steps={draft.steps} fork={null} arm="then" label={page.steps} foot={foot} />
      <p className="flex items-center gap-2 px-2 py-1 text-sm text-soft">
        <Flag aria-hidden className="size-4" />
        {words.end}
      </p>
      <Around part={ABOUT_GOAL} icon={Target} title={words.goal} line={goalInWords(draft.goal, names)} />
    </section>
  );
}

function Around({
  part,
  icon: Icon,
  title,
  line,
  foot,
}: {
  part: string;
  icon: typeof Flag;
  title: string;
  line: string;
  foot?: Row['foot'] extends (id: string) => infer Node ? Node : never;
}) {
  const { selected, select, problems } = useEditing();
  const problem = problems.get(part);
  return (
    <button
      type="button"
      id={`outline-${part}`}
      aria-pressed={selected === part}
      onClick={() => select(part)}
      className={classes(
        'flex min-w-0 items-start gap-2 rounded-md border px-3 py-2 text-left hover:bg-sunken',
        selected === part ? 'border-brand' : 'border-line',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />
      <span className="min-w-0">
        <span className="block text-xs font-semibold text-soft">{title}</span>
        <span className="block text-sm break-words">{line}</span>
        <span className="flex gap-2 text-xs text-soft">{foot}</span>
        {problem !== undefined && <span className="block text-sm text-bad">{problem}</span>}
      </span>
    </button>
  );
}

interface StepListProps {
  steps: readonly Step[];
  fork: string | null;
  arm: Arm;
  label: string;
  foot: Row['foot'];
}

function StepList({ steps, fork, arm, label, foot }: StepListProps) {
  const { mayChange, add } = useEditing();
  return (
    <div className={classes('flex flex-col gap-2', fork !== null && 'ml-3 border-l-2 pl-3 sm:ml-5')}>
      {fork !== null && <p className="text-xs font-semibold text-soft">{label}</p>}
      {mayChange && (
        <div>
          <AddStepMenu
            isNamed
            label={steps.length === 0 ? page.addFirst(label) : page.addAtTop(label)}
            onAdd={(kind) => add(kind, { fork, arm, index: 0 })}
          />
        </div>
      )}
      {steps.length > 0 && (
        <ol aria-label={label} className="flex flex-col gap-2">
          {steps.map((step, index) => (
            <li key={step.id} className="flex flex-col gap-2">
              <OutlineRow step={step} place={{ fork, arm, index }} foot={foot} />
              {isFork(step) &&
                armsOf(step).map((each) => (
                  <StepList
                    key={each}
                    steps={step[each]}
                    fork={step.id}
                    arm={each}
                    label={words.arms[step.type][each]}
                    foot={foot}
                  />
                ))}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
