import { Trash2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/drips/steps.ts';
import { words as page } from '../../../words/drips.ts';
import { useEditing } from '../editing.ts';
import { ABOUT_CAMPAIGN, ABOUT_ENTRY, ABOUT_GOAL } from '../model/problems.ts';
import type { Step } from '../model/step.ts';
import { findStanding, replaceStep } from '../model/tree.ts';
import { CampaignPanel } from './panels/campaign-panel.tsx';
import { DelayPanel } from './panels/delay-panel.tsx';
import { EmailPanel } from './panels/email-panel.tsx';
import { EntryPanel } from './panels/entry-panel.tsx';
import { GoalPanel } from './panels/goal-panel.tsx';
import { FieldPanel, GotoPanel, ListPanel } from './panels/small-panels.tsx';
import { WaitPanel } from './panels/wait-panel.tsx';
import { WebhookPanel } from './panels/webhook-panel.tsx';
import { TestFields } from './parts/test-fields.tsx';

/** Everything that the chosen part of a drip takes. */
export function Inspector() {
  const { draft, selected } = useEditing();
  const step = selected === null ? undefined : findStanding(draft.steps, selected)?.step;
  if (step !== undefined) {
    return (
      <Panel part={step.id} title={words.kinds[step.type]} lead={words.kindHints[step.type]} isStep>
        <StepPanel step={step} />
      </Panel>
    );
  }
  const around = selected === null ? undefined : AROUND.get(selected);
  if (selected === null || around === undefined) {
    return (
      <p className="rounded-lg border border-dashed border-line-strong p-5 text-sm text-soft">{page.chooseAStep}</p>
    );
  }
  return (
    <Panel part={selected} title={around.title}>
      <around.Content />
    </Panel>
  );
}

/** What is around the steps. */
const AROUND = new Map([
  [ABOUT_ENTRY, { title: words.entry, Content: EntryPanel }],
  [ABOUT_GOAL, { title: words.goal, Content: GoalPanel }],
  [ABOUT_CAMPAIGN, { title: words.campaign, Content: CampaignPanel }],
]);

function Panel({
  part,
  title,
  lead,
  isStep = false,
  children,
}: {
  part: string;
  title: string;
  lead?: string;
  isStep?: boolean;
  children: ReactNode;
}) {
  const { select, problems, remove, mayChange } = useEditing();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: window.innerWidth >= 1280 }), [part]);
  const problem = problems.get(part);
  const close = () => {
    select(null);
    document.getElementById(`outline-${part}`)?.focus();
  };
  return (
    <section aria-label={title} className="flex flex-col gap-4 rounded-lg border bg-surface p-4 xl:sticky xl:top-4">
      <div className="flex items-start justify-between gap-2">
        <div>
          <h2 ref={heading} tabIndex={-1} className="scroll-mt-4 text-base font-semibold outline-none">
            {title}
          </h2>
          {lead !== undefined && <p className="text-sm text-soft">{lead}</p>}
        </div>
        <Button look="quiet" icon={X} aria-label={page.closePanel} onClick={close} />
      </div>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {children}
      {isStep && mayChange && (
        <div className="flex justify-between border-t pt-3 text-sm text-soft">
          <span className="self-center">
            {page.stepId} <code className="font-mono">{part}</code>
          </span>
          <Button look="quiet" icon={Trash2} onClick={() => remove(part)}>
            {page.removeStep}
          </Button>
        </div>
      )}
    </section>
  );
}

function StepPanel({ step }: { step: Step }) {
  const { draft, change, mayChange } = useEditing();
  const props = {
    disabled: !mayChange,
    onChange: (next: Step, touched?: string) => change({ ...draft, steps: replaceStep(draft.steps, next) }, touched),
  };
  switch (step.type) {
    case 'email':
      return <EmailPanel step={step} {...props} />;
    case 'delay':
      return <DelayPanel step={step} {...props} />;
    case 'wait':
      return <WaitPanel step={step} {...props} />;
    case 'branch':
      return (
        <TestFields
          test={step.if}
          disabled={props.disabled}
          onChange={(test, touched) => props.onChange({ ...step, if: test }, touched && `${touched}:${step.id}`)}
        />
      );
    case 'list':
      return <ListPanel step={step} {...props} />;
    case 'field':
      return <FieldPanel step={step} {...props} />;
    case 'webhook':
      return <WebhookPanel step={step} {...props} />;
    case 'goto':
      return <GotoPanel step={step} {...props} />;
    case 'exit':
      break;
  }
  return null;
}
