import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Body, call } from '../../api/client.ts';
import { type ApiProblem, problemOf } from '../../api/problem.ts';
import { forget } from '../../api/query.ts';
import { isOvertaken } from '../../api/saving.ts';
import { tellProblem } from '../../ui/toast.tsx';
import type { Form } from './builder-context.ts';
import type { Draft } from './draft/draft.ts';
import { readDraft } from './draft/read-draft.ts';
import { writeDraft } from './draft/write-draft.ts';

const STALE = ['listForms', 'readForm', 'checkForm', 'listFormVersions'] as const;

/** What of a draft differs from the stored form, as a change of it. */
export function changesOf(draft: Draft, form: Form): Body<'updateForm'> {
  const wanted = {
    title: draft.title,
    description: draft.description,
    recipient: draft.recipient,
    subscription_list_id: draft.listId,
    signable: draft.signable,
    signature_confirmation_label: draft.signatureLabel,
    form_html: draft.html,
    form_css: draft.css,
    form_json: writeDraft(draft).json,
  };
  const stored = { ...form, form_json: writeDraft(readDraft(form)).json };
  const changed = Object.entries(wanted).filter(([name, value]) => {
    return JSON.stringify(value) !== JSON.stringify(stored[name as keyof typeof wanted] ?? '');
  });
  return Object.fromEntries(changed);
}

/** Whether two states of a form are the same to the builder. */
export function isSameForm(one: Form, other: Form): boolean {
  return Object.keys(changesOf(readDraft(one), other)).length === 0;
}

/** How saving stands. */
export interface FormSaving {
  isSaving: boolean;
  problem: ApiProblem | null;
  /** The form as somebody else saved it meanwhile. */
  theirs: Form | null;
  /** Saves, and gives the form as it is stored then; null where it was not. `over` replaces what others saved. */
  save(draft: Draft, options?: { over?: Form }): Promise<Form | null>;
  /** Publishes or unpublishes what is stored, and leaves the draft alone; says whether it did. */
  setActive(active: boolean): Promise<boolean>;
  settle(): void;
}

interface Met {
  /** The draft is stored as this form. */
  onStored(stored: Form): void;
  /** The form was read again, and the draft has nothing to do with it. */
  onMet(stored: Form): void;
}

/** Saves drafts of a form; what others saved meanwhile is never written over unasked. */
export function useFormSaving(form: Form, { onStored, onMet }: Met): FormSaving {
  const client = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [theirs, setTheirs] = useState<Form | null>(null);
  const params = { id: form.id };
  const save: FormSaving['save'] = async (draft, { over } = {}) => {
    setSaving(true);
    setProblem(null);
    setTheirs(null);
    try {
      const base = over ?? form;
      const changes = changesOf(draft, base);
      await call('updateForm', { params, body: { ...changes, if_updated_at: base.updated_at } });
      const stored = (await call('readForm', { params })).data;
      // Where somebody was faster even now, the next save tells.
      const isOurs = Object.keys(changesOf(draft, stored)).length === 0;
      const next = isOurs ? stored : { ...stored, updated_at: base.updated_at };
      onStored(next);
      await forget(client, STALE);
      return next;
    } catch (error) {
      const refused = problemOf(error);
      if (!isOvertaken(refused)) setProblem(refused);
      else {
        const now = (await call('readForm', { params })).data;
        // By an earlier press, whose answer got lost or has yet to come.
        if (Object.keys(changesOf(draft, now)).length === 0) {
          onStored(now);
          await forget(client, STALE);
          return now;
        }
        // It was published or the like, and nothing that is written here.
        if (isSameForm(now, over ?? form)) return await save(draft, { over: now });
        setTheirs(now);
      }
      return null;
    } finally {
      setSaving(false);
    }
  };
  const setActive: FormSaving['setActive'] = async (active) => {
    setSaving(true);
    try {
      await call('updateForm', { params, body: { active } });
      onMet((await call('readForm', { params })).data);
      await forget(client, STALE);
      return true;
    } catch (error) {
      tellProblem(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, problem, theirs, save, setActive, settle: () => setTheirs(null) };
}
