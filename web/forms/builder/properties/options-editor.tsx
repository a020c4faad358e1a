import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Field, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/properties.ts';
import { useBuilder } from '../builder-context.ts';
import type { Element } from '../draft/draft.ts';
import { nameOf } from '../draft/names.ts';
import {
  type Option,
  type OptionList,
  optionsOf,
  relabelOption,
  storedValues,
  valuesOf,
  withNewOptions,
  withOptions,
  withScore,
  withValue,
} from '../draft/options.ts';
import { readDraft } from '../draft/read-draft.ts';
import type { Raw } from './use-raw.ts';

interface OptionsEditorProps {
  of: Raw;
  element: Element;
  list: OptionList;
  legend: string;
}

const CELL = 'min-h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 py-1';

/** The choices of a question: their words, their order and, if wanted, what is kept and what counts. */
export function OptionsEditor({ of, element, list, legend }: OptionsEditorProps) {
  const options = optionsOf(of.raw, list);
  const stored = useStored(element, list) ?? valuesOf(options);
  const [showsAll, setShowsAll] = useState(() =>
    options.some(({ value, label, score }) => value !== label || score !== null),
  );
  const [pasted, setPasted] = useState<string | null>(null);
  const write = (next: readonly Option[], merge: string) =>
    of.change((raw) => withOptions(raw, list, next), `${list.as}:${merge}`);
  const add = (labels: readonly string[]) => write(withNewOptions(options, labels), `add ${options.length}`);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <ol className="flex flex-col gap-2">
        {options.map((option, at) => (
          <li key={at} className="flex flex-col gap-1">
            <OptionRow
              option={option}
              at={at}
              last={options.length - 1}
              legend={legend}
              showsAll={showsAll}
              onLabel={(label) => write(relabelOption(options, at, label, stored), `label ${at}`)}
              onChange={(next, merge) => write(options.with(at, next), `${merge} ${at}`)}
              onRemove={() => write(options.toSpliced(at, 1), `remove ${options.length}`)}
              onMove={(by) =>
                write(options.toSpliced(at, 1).toSpliced(at + by, 0, option), `move ${at} ${by} ${option.value}`)
              }
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} onClick={() => add([words.newOption])}>
          {words.addOption}
        </Button>
        <Button look="quiet" aria-expanded={pasted !== null} onClick={() => setPasted(pasted === null ? '' : null)}>
          {words.pasteOptions}
        </Button>
      </div>
      {pasted !== null && (
        <div className="flex flex-col gap-2">
          <Field label={words.pasteOptions} hint={words.pasteHint} hideLabel>
            <Textarea value={pasted} onChange={(event) => setPasted(event.target.value)} />
          </Field>
          <div>
            <Button
              onClick={() => {
                add(linesOf(pasted));
                setPasted(null);
              }}
            >
              {words.pasteAdd}
            </Button>
          </div>
        </div>
      )}
      <Checkbox label={words.showValues} checked={showsAll} onChange={(event) => setShowsAll(event.target.checked)} />
    </fieldset>
  );
}

/** The values that people may have chosen already, so that they stay; null where that is not known. */
function useStored(element: Element, list: OptionList): ReadonlySet<string> | null {
  const { form } = useBuilder();
  const draft = useMemo(() => readDraft(form), [form]);
  return element.fresh === true ? new Set() : storedValues(draft, nameOf(element), list);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

interface OptionRowProps {
  option: Option;
  at: number;
  last: number;
  legend: string;
  showsAll: boolean;
  onLabel(label: string): void;
  onChange(next: Option, merge: string): void;
  onRemove(): void;
  onMove(by: -1 | 1): void;
}

function OptionRow({ option, at, last, legend, showsAll, onLabel, onChange, onRemove, onMove }: OptionRowProps) {
  const { label, value, score } = option;
  return (
    <>
      <div className="flex items-center gap-1">
        <input
          className={CELL}
          aria-label={words.option(legend, at + 1)}
          value={label}
          onChange={(event) => onLabel(event.target.value)}
        />
        <Small label={words.optionUp(label)} icon={ArrowUp} disabled={at === 0} onClick={() => onMove(-1)} />
        <Small label={words.optionDown(label)} icon={ArrowDown} disabled={at === last} onClick={() => onMove(1)} />
        <Small label={words.removeOption(label)} icon={X} onClick={onRemove} />
      </div>
      {showsAll && (
        <div className="grid grid-cols-[2fr_1fr] gap-1 pl-3 text-sm text-soft">
          <label className="flex items-center gap-1">
            <span className="shrink-0" aria-hidden>
              {words.keptAs}
            </span>
            <input
              className={CELL}
              aria-label={words.optionValue(at + 1)}
              value={value}
              onChange={(event) => onChange(withValue(option, event.target.value), 'value')}
            />
          </label>
          <label className="flex items-center gap-1">
            <span className="shrink-0" aria-hidden>
              {words.counts}
            </span>
            <input
              className={CELL}
              type="number"
              aria-label={words.optionScore(at + 1)}
              value={score ?? ''}
              onChange={(event) => onChange(withScore(option, readScore(event.target.value)), 'score')}
            />
          </label>
        </div>
      )}
    </>
  );
}

function readScore(text: string): number | null {
  const score = Number(text);
  return text.trim() === '' || !Number.isFinite(score) ? null : score;
}

interface SmallProps {
  label: string;
  icon: typeof X;
  disabled?: boolean;
  onClick(): void;
}

function Small({ label, icon: Icon, disabled = false, onClick }: SmallProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className="shrink-0 rounded p-1 text-soft hover:bg-sunken hover:text-ink disabled:opacity-40"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
