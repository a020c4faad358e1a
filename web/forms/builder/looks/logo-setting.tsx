import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/builder/looks.ts';
import { useBuilder } from '../builder-context.ts';
import { LARGEST_LOGO_BYTES, LOGO_TYPES, logoIn, withLogo } from './logo.ts';
import { readAsAddress } from './read-as-address.ts';

/** The picture above the questions. */
export function LogoSetting() {
  const { draft, edit } = useBuilder();
  const [problem, setProblem] = useState<string>();
  const logo = logoIn(draft.html);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (!LOGO_TYPES.includes(file.type)) return setProblem(words.logoWrongType);
    if (file.size > LARGEST_LOGO_BYTES) return setProblem(words.logoTooLarge);
    setProblem(undefined);
    const src = await readAsAddress(file);
    return edit((now) => ({ ...now, html: withLogo(now.html, { src, alt: logoIn(now.html)?.alt ?? '' }) }));
  };
  return (
    <div className="flex flex-col gap-4">
      {logo !== null && (
        <div className="flex items-center gap-3">
          <img src={logo.src} alt={logo.alt} className="max-h-24 max-w-full rounded border bg-white p-2" />
          <Button
            look="danger"
            icon={Trash2}
            onClick={() => edit((now) => ({ ...now, html: withLogo(now.html, null) }))}
          >
            {words.removeLogo}
          </Button>
        </div>
      )}
      <Field label={words.chooseLogo} problem={problem}>
        <Input type="file" accept={LOGO_TYPES.join(',')} onChange={(event) => void take(event.target.files?.[0])} />
      </Field>
      {logo !== null && (
        <Field label={words.logoAlt}>
          <Input
            value={logo.alt}
            onChange={(event) => {
              const alt = event.target.value;
              edit((now) => ({ ...now, html: withLogo(now.html, { ...logo, alt }) }), 'logo alt');
            }}
          />
        </Field>
      )}
    </div>
  );
}
