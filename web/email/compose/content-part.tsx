import type { UseFormReturn } from 'react-hook-form';
import { fieldProblem } from '../../api/field-problem.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useRead } from '../../api/query.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { Choice, Field, Select, Textarea } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { words } from '../../words/email/compose.ts';
import type { Draft } from './draft.ts';
import { TemplatePart } from './template-part.tsx';

interface ContentPartProps {
  form: UseFormReturn<Draft>;
  texts: Readonly<Record<string, string>>;
  onTexts(texts: Record<string, string>): void;
  problem: ApiProblem | null;
}

const KINDS = (['text', 'html', 'template'] as const).map((value) => ({ value, label: words.kinds[value] }));

/** What a message says: a text, HTML, or a template with its values. */
export function ContentPart({ form, texts, onTexts, problem }: ContentPartProps) {
  const kind = form.watch('kind');
  const templateId = form.watch('templateId');
  const templates = useRead('listTemplates', {}, { enabled: kind === 'template' });
  const template = useRead(
    'readTemplate',
    { params: { id: templateId } },
    { enabled: kind === 'template' && templateId !== '' },
  );
  form.register('html', {
    validate: (html, written) => written.kind !== 'html' || html.trim() !== '' || words.required,
  });
  return (
    <div className="flex flex-col gap-4">
      <Choice
        legend={words.kind}
        inline
        value={kind}
        options={KINDS}
        onChange={(next) => form.setValue('kind', next)}
      />
      {kind === 'text' && (
        <Field label={words.text} problem={form.formState.errors.text?.message}>
          <Textarea rows={10} {...form.register('text', { required: words.required })} />
        </Field>
      )}
      {kind === 'html' && (
        <div className="flex flex-col gap-1">
          <span aria-hidden className="text-sm font-medium">
            {words.html}
          </span>
          <CodeEditor
            label={words.html}
            value={form.watch('html')}
            onChange={(next) => form.setValue('html', next, { shouldValidate: form.formState.isSubmitted })}
          />
          {form.formState.errors.html !== undefined && (
            <p role="alert" className="text-sm text-bad">
              {form.formState.errors.html.message}
            </p>
          )}
        </div>
      )}
      {kind === 'template' && (
        <>
          <Field
            label={words.template}
            problem={form.formState.errors.templateId?.message ?? fieldProblem(problem, 'template_variables')}
            {...(templates.data?.length === 0 ? { hint: words.noTemplates } : {})}
          >
            <Select
              value={templateId}
              {...form.register('templateId', { required: words.required })}
              onChange={(event) => form.setValue('templateId', event.target.value, { shouldValidate: true })}
            >
              <option value="">{words.choose}</option>
              {templates.data?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          {template.data === undefined && template.error !== null && (
            <Problem error={template.error} onRetry={() => void template.refetch()} />
          )}
          {template.data !== undefined && (
            <TemplatePart id={templateId} variables={template.data.variables} texts={texts} onChange={onTexts} />
          )}
        </>
      )}
    </div>
  );
}
