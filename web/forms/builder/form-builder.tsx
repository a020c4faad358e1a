import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useKeeping, useKeptDraft } from '../../session/kept-drafts.ts';
import { useMay } from '../../session/session.ts';
import { Notice } from '../../ui/badge.tsx';
import { OvertakenDialog } from '../../ui/overtaken-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/builder.ts';
import { BuildView } from './build-view.tsx';
import { type Builder, BuilderContext, type Form } from './builder-context.ts';
import type { Draft } from './draft/draft.ts';
import { keyOfFinding } from './draft/find-finding.ts';
import { readDraft, writtenAs } from './draft/read-draft.ts';
import { FormActions } from './form-actions.tsx';
import { FormState } from './form-state.tsx';
import { useTimeline } from './history.ts';
import { LanguagesView } from './languages/languages-view.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { LooksView } from './looks/looks-view.tsx';
import { Preview } from './preview/preview.tsx';
import { usePreview } from './preview/use-preview.ts';
import { changesOf, isSameForm, useFormSaving } from './save.ts';
import { SettingsView } from './settings/settings-view.tsx';
import { useFocusWish } from './use-focus-wish.ts';
import { useWide } from './use-wide.ts';
import { ViewTabs } from './view-tabs.tsx';
import type { View } from './views.ts';

/** A form in the making: its draft, what was done to it, and everything that works on it. */
export function FormBuilder({ form: opened, view }: { form: Form; view: View }) {
  const place = `form ${opened.id}`;
  // With the form that it was made from, so that what others saved meanwhile is told when it is saved.
  const kept = useKeptDraft(place) as { form: Form; draft: Draft } | undefined;
  const [form, setForm] = useState(kept?.form ?? opened);
  const timeline = useTimeline(useMemo(() => kept?.draft ?? readDraft(opened), []));
  const mayEdit = useMay('editor');
  const isWide = useWide();
  const [said, setSaid] = useState('');
  const whole = useRef<HTMLDivElement>(null);
  const { draft, change } = timeline;
  const focusOn = useFocusWish(whole, timeline.selected);
  const problems = usePreview(draft).data?.problems ?? [];
  const saving = useFormSaving(form, {
    onStored: (stored) => {
      setForm(stored);
      timeline.settle();
    },
    // Where somebody else saved meanwhile, the next save tells.
    onMet: (stored) =>
      setForm((known) => {
        return isSameForm(known, stored) ? stored : { ...known, active: stored.active };
      }),
  });
  const isDirty = useMemo(() => mayEdit && Object.keys(changesOf(draft, form)).length > 0, [draft, form, mayEdit]);
  useKeeping(place, isDirty ? { form, draft } : null);
  const builder: Builder = {
    ...timeline,
    form,
    mayEdit,
    isWide,
    edit: (make, merge) =>
      change((now) => {
        const next = make(now.draft);
        return next === null ? null : { ...now, draft: next };
      }, merge),
    place: (make) => change(make),
    say: setSaid,
    focusOn,
    problems,
    keyOfFinding: (finding) => keyOfFinding(draft, finding.field),
  };
  useEffect(() => {
    const guard = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (isDirty && !saving.isSaving) void saving.save(draft);
    };
    document.addEventListener('keydown', guard);
    return () => document.removeEventListener('keydown', guard);
  });
  const takeKey = (event: KeyboardEvent) => {
    const isZ = event.key.toLowerCase() === 'z';
    const isY = event.key.toLowerCase() === 'y';
    if (!(event.ctrlKey || event.metaKey) || !(isZ || isY) || isCode(event.target)) return;
    event.preventDefault();
    const isRedo = isY || event.shiftKey;
    if (isRedo) timeline.redo();
    else timeline.undo();
    setSaid(isRedo ? words.saidRedone : words.saidUndone);
  };
  const written = writtenAs(form.form_json);
  return (
    <BuilderContext value={builder}>
      <div ref={whole} onKeyDown={takeKey}>
        <Page
          wide
          title={draft.title}
          lead={<FormState isDirty={isDirty} />}
          back={{ label: words.forms, to: '/forms/all' }}
          actions={<FormActions saving={saving} isDirty={isDirty} />}
        >
          {!mayEdit && <Notice>{words.readOnly}</Notice>}
          {written === 'schema' && <Notice>{words.fromSchema}</Notice>}
          {written === 'unknown' && <Notice tone="warn">{words.unknownShape}</Notice>}
          {saving.problem !== null && <Problem error={saving.problem} />}
          <ViewTabs />
          {view === 'build' && <BuildView />}
          {view === 'look' && <LooksView />}
          {view === 'languages' && <LanguagesView />}
          {view === 'settings' && <SettingsView fields={saving.problem?.fields ?? {}} />}
          {view === 'preview' && <Preview />}
        </Page>
      </div>
      <p role="status" aria-live="polite" className="sr-only">
        {said}
      </p>
      <LeaveGuard isDirty={isDirty} onSave={async () => (await saving.save(draft)) !== null} />
      {saving.theirs !== null && (
        <OvertakenDialog
          onClose={saving.settle}
          onMine={() => void saving.save(draft, { over: saving.theirs as Form })}
          onTheirs={() => {
            setForm(saving.theirs as Form);
            change((now) => ({ ...now, draft: readDraft(saving.theirs as Form) }));
            saving.settle();
          }}
        />
      )}
    </BuilderContext>
  );
}

/** The editor for HTML has a memory of its own. */
function isCode(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.isContentEditable;
}
