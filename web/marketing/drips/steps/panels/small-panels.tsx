import { Choice, Field, Input } from '../../../../ui/field.tsx';
import { words } from '../../../../words/drips/panels.ts';
import { words as steps } from '../../../../words/drips/steps.ts';
import { useEditing } from '../../editing.ts';
import { stepInWords } from '../../model/in-words.ts';
import type { FieldStep, GotoStep, ListStep } from '../../model/step.ts';
import { standingsOf } from '../../model/tree.ts';
import { NamedSelect } from '../parts/named-select.tsx';
import type { PanelProps } from './panel-props.ts';

/** Which list people are put on or taken off. */
export function ListPanel({ step, onChange, disabled }: PanelProps<ListStep>) {
  const { nameable } = useEditing();
  return (
    <>
      <fieldset disabled={disabled}>
        <Choice
          legend={words.listChange}
          value={step.change}
          options={[
            { value: 'add', label: words.putOn },
            { value: 'remove', label: words.takeOff },
          ]}
          onChange={(change) => onChange({ ...step, change })}
        />
      </fieldset>
      <NamedSelect
        label={words.list}
        hint={words.listHint}
        value={step.list}
        options={nameable.lists}
        disabled={disabled}
        onChange={(list) => onChange({ ...step, list })}
      />
    </>
  );
}

/** Which custom field is set, and to what. */
export function FieldPanel({ step, onChange, disabled }: PanelProps<FieldStep>) {
  const { nameable } = useEditing();
  const options = nameable.fields.map(({ name, isHealth }) => ({
    id: name,
    name: isHealth ? words.healthField(name) : name,
    disabled: isHealth,
  }));
  return (
    <>
      <NamedSelect
        label={words.field}
        hint={words.fieldHint}
        value={step.name}
        options={options}
        disabled={disabled}
        onChange={(name) => onChange({ ...step, name })}
      />
      <Field label={words.value} optional hint={words.valueHint}>
        <Input
          value={step.value}
          maxLength={1_000}
          disabled={disabled}
          onChange={(event) => onChange({ ...step, value: event.target.value }, `value:${step.id}`)}
        />
      </Field>
    </>
  );
}

/** Where people go on. */
export function GotoPanel({ step, onChange, disabled }: PanelProps<GotoStep>) {
  const { draft, names } = useEditing();
  const targets = standingsOf(draft.steps).filter(({ step: { type } }) => type !== 'goto');
  const options = [
    { id: END_VALUE, name: steps.theEnd },
    ...targets.map(({ step: each }) => ({
      id: each.id,
      name: `${steps.kinds[each.type]}: ${stepInWords(each, names)}`,
    })),
  ];
  return (
    <NamedSelect
      label={words.target}
      hint={words.targetHint}
      value={step.step ?? END_VALUE}
      options={options}
      disabled={disabled}
      onChange={(id) => onChange({ ...step, step: id === END_VALUE ? null : id })}
    />
  );
}

/** No step can be called like that. */
const END_VALUE = ':end';
