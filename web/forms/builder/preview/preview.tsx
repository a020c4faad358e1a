import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { languagesOf } from '../../../../src/forms/model/translate.ts';
import { classes } from '../../../ui/classes.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { HtmlFrame } from '../../../ui/frame.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { words } from '../../../words/builder.ts';
import { useBuilder } from '../builder-context.ts';
import { languageInWords } from '../languages/language-in-words.ts';
import { pageInWords } from '../place-in-words.ts';
import { usePreview } from './use-preview.ts';

/** The form as patients will see it, on a small screen or a large one, in any of its languages. */
export function Preview() {
  const { draft } = useBuilder();
  const [device, setDevice] = useState<'phone' | 'desktop'>('phone');
  const languages = languagesOf(draft.json);
  const [wanted, setLanguage] = useState(languages[0] ?? 'en');
  const language = languages.includes(wanted) ? wanted : (languages[0] ?? 'en');
  const [place, setPage] = useState(0);
  const page = Math.min(place, draft.pages.length - 1);
  const preview = usePreview(draft, { language, page });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <Devices device={device} onChange={setDevice} />
        {languages.length > 1 && (
          <Field label={words.language} className="w-44">
            <Select value={language} onChange={(event) => setLanguage(event.target.value)}>
              {languages.map((tag) => (
                <option key={tag} value={tag}>
                  {languageInWords(tag)}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {draft.pages.length > 1 && (
          <Field label={words.whichPage} className="w-56">
            <Select value={page} onChange={(event) => setPage(Number(event.target.value))}>
              {draft.pages.map((each, at) => (
                <option key={each.key} value={at}>
                  {pageInWords(draft, each)}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      <p className="text-sm text-soft">{words.previewLead}</p>
      <Loaded read={preview}>
        {({ html }) => (
          <div className="flex justify-center rounded-lg border bg-sunken p-3 sm:p-6">
            <div className={classes('w-full', device === 'phone' && 'max-w-[390px]')}>
              <HtmlFrame
                live
                title={words.previewOf}
                html={html}
                className={classes(
                  'w-full border bg-white',
                  device === 'phone' ? 'h-[720px] rounded-3xl' : 'h-[80dvh] rounded-md',
                )}
              />
            </div>
          </div>
        )}
      </Loaded>
    </div>
  );
}

interface DevicesProps {
  device: 'phone' | 'desktop';
  onChange(device: 'phone' | 'desktop'): void;
}

function Devices({ device, onChange }: DevicesProps) {
  const icons = { phone: Smartphone, desktop: Monitor };
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{words.device}</legend>
      <div className="flex rounded-md border border-line-strong">
        {(['phone', 'desktop'] as const).map((each) => {
          const Icon = icons[each];
          return (
            <button
              key={each}
              type="button"
              aria-pressed={device === each}
              onClick={() => onChange(each)}
              className={classes(
                'inline-flex min-h-9 items-center gap-2 px-3 text-sm first:rounded-l-md last:rounded-r-md',
                device === each ? 'bg-brand text-on-brand' : 'bg-surface hover:bg-sunken',
              )}
            >
              <Icon aria-hidden className="size-4" />
              {words[each]}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
