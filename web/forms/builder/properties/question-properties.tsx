import { Field, Select, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import { useBuilder } from '../builder-context.ts';
import type { Element } from '../draft/draft.ts';
import { type Kind } from '../draft/kinds.ts';
import { nameOf, relabel } from '../draft/names.ts';
import { COLUMNS, OPTIONS, ROWS } from '../draft/options.ts';
import { questionsFor } from '../draft/questions.ts';
import { SETTINGS } from '../draft/settings.ts';
import { ConditionEditor } from '../rules/condition-editor.tsx';
import { FormulaEditor } from '../rules/formula-editor.tsx';
import { FlagSetting, TextSetting } from './inputs.tsx';
import { Limits } from './limits.tsx';
import { NameSetting } from './name-setting.tsx';
import { OptionsEditor } from './options-editor.tsx';
import { ShowWhen } from './show-when.tsx';
import { type Raw, useRaw } from './use-raw.ts';

type Asked = Exclude<Kind, 'heading' | 'section'>;

/** Everything that can be said about a question. */
export function QuestionProperties({ element, kind }: { element: Element; kind: Asked }) {
  const { draft, edit } = useBuilder();
  const raw = useRaw(element.key, element.raw);
  const label = kind === 'consent' ? words.consentLabel : kind === 'group' ? words.groupLabel : words.label;
  const isAnswered = kind !== 'calculated' && kind !== 'hidden';
  return (
    <>
      <Field label={label}>
        <Textarea
          rows={2}
          data-first
          value={raw.text(kind === 'consent' ? SETTINGS.consentLabel : SETTINGS.label)}
          onChange={(event) => edit((now) => relabel(now, element.key, event.target.value), `${element.key}:label`)}
        />
      </Field>
      {kind === 'consent' && <TextSetting of={raw} setting={SETTINGS.consentText} label={words.consentText} rows={4} />}
      {kind === 'signature' && <p className="text-sm text-soft">{words.signatureNote}</p>}
      {kind === 'calculated' && (
        <FormulaEditor
          source={raw.text(SETTINGS.formula)}
          questions={questionsFor(draft, element.key)}
          onChange={(source) => raw.set(SETTINGS.formula, source)}
        />
      )}
      <TextSetting of={raw} setting={SETTINGS.help} label={words.help} hint={words.helpHint} rows={2} />
      {isAnswered && (
        <FlagSetting
          of={raw}
          setting={SETTINGS.required}
          label={kind === 'matrix' ? words.requiredRows : words.required}
        />
      )}
      <Choices of={raw} element={element} kind={kind} />
      <Limits of={raw} kind={kind} />
      <ShowWhen of={raw} />
      <details className="border-t pt-3">
        <summary className="cursor-pointer py-1 text-sm font-medium">{words.more}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <NameSetting element={element} />
          {isAnswered && <RequireWhen of={raw} />}
          {mayBePrefilled(kind) && (
            <FlagSetting
              of={raw}
              setting={SETTINGS.prefill}
              label={words.prefill}
              hint={words.prefillHint(nameOf(element) ?? '')}
            />
          )}
          <DeidentifySetting of={raw} />
        </div>
      </details>
    </>
  );
}

function Choices({ of, element, kind }: { of: Raw; element: Element; kind: Asked }) {
  if (kind === 'matrix') {
    return (
      <>
        <OptionsEditor of={of} element={element} list={ROWS} legend={words.rows} />
        <OptionsEditor of={of} element={element} list={COLUMNS} legend={words.columns} />
      </>
    );
  }
  if (kind !== 'radio' && kind !== 'select' && kind !== 'checkboxes') return null;
  return (
    <>
      <OptionsEditor of={of} element={element} list={OPTIONS} legend={words.choices} />
      <FlagSetting of={of} setting={SETTINGS.other} label={words.other} />
    </>
  );
}

function RequireWhen({ of }: { of: Raw }) {
  const { draft } = useBuilder();
  return (
    <ConditionEditor
      legend={words.requireWhen}
      source={of.text(SETTINGS.requireWhen)}
      questions={questionsFor(draft, of.key)}
      onChange={(source) => of.set(SETTINGS.requireWhen, source === '' ? undefined : source)}
    />
  );
}

function DeidentifySetting({ of }: { of: Raw }) {
  return (
    <Field label={words.deidentify}>
      <Select
        value={of.text(SETTINGS.deidentify)}
        onChange={(event) => of.set(SETTINGS.deidentify, event.target.value === '' ? undefined : event.target.value)}
      >
        {Object.entries(words.deidentifyChoices).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** What can stand in an address as one word. */
function mayBePrefilled(kind: Asked): boolean {
  return !['file', 'signature', 'matrix', 'address', 'group', 'calculated', 'consent'].includes(kind);
}
