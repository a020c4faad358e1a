import { useNavigate } from '@tanstack/react-router';
import { FileHeart, FilePlus2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../api/query.ts';
import { useMay, useSession } from '../../../session/session.ts';
import { Notice } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/builder/start.ts';
import { words as builder } from '../../../words/builder.ts';
import { CopyForm } from './copy-form.tsx';
import { ImportQuestionnaire } from './import-questionnaire.tsx';
import { BLANK, TEMPLATES, type Template } from './templates.ts';

/** Where a form is begun: blank, from a template, from another form or from a file. */
export function NewFormPage() {
  const mayEdit = useMay('editor');
  const customerId = useSession()?.customer?.id ?? 0;
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const open = (id: string) => navigate({ to: '/forms/$id/edit', params: { id } });
  const create = useWrite('createForm', { stale: ['listForms', 'readFormStats'], onDone: ({ id }) => open(id) });
  const begin = (template: Template | null) =>
    create.mutate({
      body: {
        customer_id: customerId,
        title: title.trim() || (template?.title ?? words.newTitle),
        form_json: template === null ? BLANK : { ...template.json },
        description: template?.description ?? null,
        signable: template?.signable ?? false,
        signature_confirmation_label: template?.signatureLabel ?? null,
      },
    });
  return (
    <Page title={words.title} lead={words.lead} back={{ label: builder.forms, to: '/forms/all' }}>
      {!mayEdit && <Notice>{words.mayNot}</Notice>}
      {create.error !== null && <Problem error={create.error} />}
      <fieldset disabled={!mayEdit || create.isPending} className="flex flex-col gap-5">
        <legend className="sr-only">{words.ways}</legend>
        <Field label={words.formTitle} hint={words.formTitleHint} optional className="max-w-xl">
          <Input maxLength={500} value={title} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <Way icon={FilePlus2} name={words.blank} about={words.blankLead} onUse={() => begin(null)} />
          {TEMPLATES.map((template) => (
            <Way
              key={template.name}
              icon={FileHeart}
              name={template.name}
              about={template.about}
              note={words.pages(template.json.pages.length)}
              onUse={() => begin(template)}
            />
          ))}
        </div>
        <h2 className="text-lg font-semibold">{words.other}</h2>
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Card title={words.copy} lead={words.copyLead}>
            <CopyForm title={title} onMade={open} />
          </Card>
          <Card title={words.fhir} lead={words.fhirLead}>
            <ImportQuestionnaire onMade={open} />
          </Card>
        </div>
      </fieldset>
    </Page>
  );
}

interface WayProps {
  icon: typeof FilePlus2;
  name: string;
  about: string;
  note?: string;
  onUse(): void;
}

function Way({ icon: Icon, name, about, note, onUse }: WayProps) {
  return (
    <section aria-label={name} className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <div className="flex items-center gap-2">
        <Icon aria-hidden className="size-5 text-brand" />
        <h2 className="font-semibold">{name}</h2>
      </div>
      <p className="grow text-sm text-soft">{about}</p>
      <div className="flex items-center justify-between gap-2">
        <span className="text-xs text-soft">{note}</span>
        <Button aria-label={words.useThis(name)} onClick={onUse}>
          {words.use}
        </Button>
      </div>
    </section>
  );
}
