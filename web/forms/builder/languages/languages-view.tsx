import { Languages, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import { languagesOf } from '../../../../src/forms/model/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { tell } from '../../../ui/toast.tsx';
import { words } from '../../../words/builder/languages.ts';
import { useBuilder } from '../builder-context.ts';
import type { Draft } from '../draft/draft.ts';
import { languageInWords } from './language-in-words.ts';
import { textsOf, translationOf } from './texts.ts';
import { TranslationTable } from './translation-table.tsx';

/** The languages of a form, and its texts in each of them. */
export function LanguagesView() {
  const { draft, edit, mayEdit } = useBuilder();
  const [own = 'en', ...others] = languagesOf(draft.json);
  const [wanted, setWanted] = useState<string | null>(null);
  const shown = others.find((tag) => tag === wanted) ?? others[0];
  const texts = textsOf(draft);
  return (
    <fieldset disabled={!mayEdit} className="flex min-w-0 flex-col gap-4">
      <legend className="sr-only">{words.languages}</legend>
      <Card title={words.languages} lead={words.lead}>
        <div className="flex flex-wrap items-start gap-4">
          <Field label={words.own} hint={words.ownHint} className="w-56">
            <Select
              value={own}
              onChange={(event) => edit((now) => ({ ...now, json: { ...now.json, language: event.target.value } }))}
            >
              {[...new Set([own, ...words.offered])]
                .filter((tag) => !others.includes(tag))
                .map((tag) => (
                  <option key={tag} value={tag}>
                    {languageInWords(tag)}
                  </option>
                ))}
            </Select>
          </Field>
          <AddLanguage
            known={[own, ...others]}
            onAdd={(tag) => {
              edit((now) => withLanguage(now, tag));
              setWanted(tag);
            }}
          />
        </div>
        {others.length > 0 && (
          <ul className="mt-4 flex flex-wrap gap-2">
            {others.map((tag) => (
              <li key={tag}>
                <Button
                  look={tag === shown ? 'primary' : 'secondary'}
                  aria-pressed={tag === shown}
                  onClick={() => setWanted(tag)}
                >
                  {languageInWords(tag)}
                  <span className="text-xs">
                    {words.state(texts.filter((text) => translationOf(draft, tag, text) !== '').length, texts.length)}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {shown === undefined ? (
        <Empty icon={Languages} title={words.none}>
          {words.noneLead}
        </Empty>
      ) : (
        <Card
          title={words.into(languageInWords(shown))}
          actions={
            <Button
              look="danger"
              icon={Trash2}
              onClick={() => {
                const kept = translationsOf(draft)[shown];
                edit((now) => withoutLanguage(now, shown));
                tell(words.removed(languageInWords(shown)), () =>
                  edit((now) => (shown in translationsOf(now) ? null : withLanguage(now, shown, kept))),
                );
              }}
            >
              {words.remove(languageInWords(shown))}
            </Button>
          }
        >
          <TranslationTable key={shown} language={shown} texts={texts} />
        </Card>
      )}
    </fieldset>
  );
}

function AddLanguage({ known, onAdd }: { known: readonly string[]; onAdd(tag: string): void }) {
  const [tag, setTag] = useState('');
  return (
    <div className="flex items-end gap-2">
      <Field label={words.add} className="w-56">
        <Select value={tag} onChange={(event) => setTag(event.target.value)}>
          <option value="">{words.choose}</option>
          {words.offered
            .filter((each) => !known.includes(each))
            .map((each) => (
              <option key={each} value={each}>
                {languageInWords(each)}
              </option>
            ))}
        </Select>
      </Field>
      <Button
        disabled={tag === ''}
        onClick={() => {
          onAdd(tag);
          setTag('');
        }}
      >
        {words.addThis}
      </Button>
    </div>
  );
}

function translationsOf({ json: { translations } }: Draft): Plain {
  return isPlain(translations) ? translations : {};
}

function withLanguage(draft: Draft, tag: string, texts: unknown = {}): Draft {
  return { ...draft, json: { ...draft.json, translations: { ...translationsOf(draft), [tag]: texts } } };
}

function withoutLanguage(draft: Draft, tag: string): Draft {
  const { translations: _all, ...json } = draft.json;
  const { [tag]: _gone, ...others } = translationsOf(draft);
  return { ...draft, json: Object.keys(others).length === 0 ? json : { ...draft.json, translations: others } };
}
