import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Checkbox, Choice } from '../../../ui/field.tsx';
import { HtmlFrame } from '../../../ui/frame.tsx';
import { Card } from '../../../ui/page.tsx';
import { Loading, Problem } from '../../../ui/problem.tsx';
import { words } from '../../../words/mailings.ts';
import { type ChosenPerson, PersonPicker } from '../person-picker.tsx';
import { DesktopFrame } from './desktop-frame.tsx';
import type { Preview } from './use-preview.ts';

interface PreviewPaneProps {
  read: { data: { data: Preview } | undefined; error: unknown };
  person: ChosenPerson | null;
  onPerson(person: ChosenPerson | null): void;
}

type Width = 'desktop' | 'phone';

/** The mail as somebody gets it, on a computer or a phone, light or dark, or as text. */
export function PreviewPane({ read, person, onPerson }: PreviewPaneProps) {
  const [width, setWidth] = useState<Width>('desktop');
  const [dark, setDark] = useState(false);
  const [asText, setAsText] = useState(false);
  const [picking, setPicking] = useState(false);
  const preview = read.data?.data;
  const { desktop, phone, legend } = words.widths;
  return (
    <Card title={words.preview} lead={words.shownTo(person?.name ?? words.samplePerson)}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <Choice
            legend={legend}
            inline
            value={width}
            onChange={setWidth}
            options={[
              { value: 'desktop', label: desktop },
              { value: 'phone', label: phone },
            ]}
          />
          <Button onClick={() => (person === null ? setPicking(true) : onPerson(null))}>
            {person === null ? words.showFor : words.showSample}
          </Button>
        </div>
        <Checkbox label={words.dark} checked={dark} onChange={() => setDark(!dark)} />
        <Checkbox label={words.asText} checked={asText} onChange={() => setAsText(!asText)} />
        {read.error !== null && <Problem error={read.error} />}
        {preview === undefined && read.error === null && <Loading />}
        {preview !== undefined && <Shown preview={preview} width={width} dark={dark} asText={asText} />}
        <p className="text-sm text-soft">{words.picturesNote}</p>
      </div>
      {picking && (
        <PersonPicker
          onClose={() => setPicking(false)}
          onChoose={(chosen) => {
            setPicking(false);
            onPerson(chosen);
          }}
        />
      )}
    </Card>
  );
}

function Shown({ preview, width, dark, asText }: { preview: Preview; width: Width; dark: boolean; asText: boolean }) {
  if (preview.html === null) return <p className="text-sm text-soft">{words.cannotShow}</p>;
  return (
    <div className={classes('flex flex-col gap-2', width === 'phone' && 'mx-auto w-full max-w-[375px]')}>
      <div className="rounded-md bg-sunken px-3 py-2 text-sm">
        <p className="font-semibold break-words">{preview.subject}</p>
        {preview.preheader !== null && <p className="truncate text-soft">{preview.preheader}</p>}
      </div>
      {asText ? (
        <pre
          aria-label={words.textVersion}
          className="h-[36rem] overflow-auto rounded-md border bg-surface p-3 font-mono text-sm whitespace-pre-wrap"
          tabIndex={0}
          role="region"
        >
          {preview.text}
        </pre>
      ) : (
        <div className={classes(dark && 'invert hue-rotate-180')}>
          {width === 'phone' ? (
            <HtmlFrame
              title={words.preview}
              html={preview.html}
              className="h-[36rem] w-full rounded-md border bg-white"
            />
          ) : (
            <DesktopFrame html={preview.html} />
          )}
        </div>
      )}
    </div>
  );
}
