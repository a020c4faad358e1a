import { useState } from 'react';
import { Checkbox, Textarea } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/languages.ts';
import { useBuilder } from '../builder-context.ts';
import type { Draft } from '../draft/draft.ts';
import { withLastingId } from '../draft/ids.ts';
import { languageInWords } from './language-in-words.ts';
import { type Text, textsOf, translationOf, withTranslation } from './texts.ts';

/** Every text of the form beside what it is in a language. */
export function TranslationTable({ language, texts }: { language: string; texts: readonly Text[] }) {
  const { draft, edit } = useBuilder();
  const [missingOnly, setMissingOnly] = useState(false);
  // What is just being translated stays in sight.
  const [missing, setMissing] = useState<readonly number[]>([]);
  const shown = texts.map((text, at) => ({ text, at })).filter(({ at }) => !missingOnly || missing.includes(at));
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label={words.missingOnly}
        checked={missingOnly}
        onChange={(event) => {
          setMissingOnly(event.target.checked);
          setMissing(texts.flatMap((text, at) => (translationOf(draft, language, text) === '' ? [at] : [])));
        }}
      />
      {shown.length === 0 ? (
        <p className="text-sm text-soft">{words.allDone}</p>
      ) : (
        <table className="w-full table-fixed text-sm">
          <thead className="hidden text-left text-soft sm:table-header-group">
            <tr>
              <th scope="col" className="w-40 py-2 font-medium">
                {words.of}
              </th>
              <th scope="col" className="py-2 font-medium">
                {words.original}
              </th>
              <th scope="col" className="py-2 font-medium">
                {words.translation(languageInWords(language))}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ text, at }) => (
              <tr key={at} className="flex flex-col border-t align-top sm:table-row">
                <td className="pt-2 pr-3 text-soft sm:py-2">
                  <span className="block break-words">{text.of}</span>
                  <span className="text-xs">{text.what}</span>
                </td>
                <td className="py-1 pr-3 break-words whitespace-pre-line sm:py-2">{text.own}</td>
                <td className="pb-2 sm:py-2">
                  <Textarea
                    rows={text.own.length > 60 ? 3 : 1}
                    lang={language}
                    dir="auto"
                    aria-label={words.translationOf(text.own)}
                    value={translationOf(draft, language, text)}
                    onChange={(event) => {
                      const said = event.target.value;
                      edit((now) => translate(now, language, at, said), `${language}:${at}`);
                    }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** What has no lasting id gets one first, so that its translations stay with it; those it has go along. */
function translate(draft: Draft, language: string, at: number, said: string): Draft {
  const before = textsOf(draft);
  const { key } = before[at] as Text;
  const marked = key === null ? draft : withLastingId(draft, key);
  const after = textsOf(marked);
  const moved = marked === draft ? marked : carryOver(marked, before, after);
  return withTranslation(moved, language, after[at] as Text, said);
}

function carryOver(draft: Draft, before: readonly Text[], after: readonly Text[]): Draft {
  const tags = Object.keys(draft.json['translations'] ?? {});
  return after.reduce((all, text, at) => {
    const old = before[at] as Text;
    if (old.path.join('\n') === text.path.join('\n')) return all;
    return tags.reduce((each, tag) => {
      const said = translationOf(each, tag, old);
      return said === '' ? each : withTranslation(withTranslation(each, tag, old, ''), tag, text, said);
    }, all);
  }, draft);
}
