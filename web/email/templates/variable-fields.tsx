import { Field, Input, Textarea } from '../../ui/field.tsx';
import { words } from '../../words/email/templates.ts';
import { type Place, placeProblem } from './variable-values.ts';

interface VariableFieldsProps {
  places: readonly Place[];
  texts: Readonly<Record<string, string>>;
  onChange(texts: Record<string, string>): void;
}

/** A field for every place of a template. */
export function VariableFields({ places, texts, onChange }: VariableFieldsProps) {
  if (places.length === 0) return <p className="text-sm text-soft">{words.noVariables}</p>;
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {places.map((place) => {
        const change = (text: string) => onChange({ ...texts, [place.name]: text });
        return place.isList ? (
          <Field
            key={place.name}
            label={place.name}
            hint={words.listHint}
            problem={placeProblem(place, texts[place.name])}
            className="sm:col-span-2"
          >
            <Textarea
              rows={3}
              spellCheck={false}
              className="font-mono text-sm"
              value={texts[place.name] ?? place.example}
              onChange={(event) => change(event.target.value)}
            />
          </Field>
        ) : (
          <Field key={place.name} label={place.name}>
            <Input
              autoComplete="off"
              value={texts[place.name] ?? ''}
              onChange={(event) => change(event.target.value)}
            />
          </Field>
        );
      })}
    </div>
  );
}
