import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { Reply } from '../../api/client.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { Notice } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { HtmlFrame } from '../../ui/frame.tsx';
import { Card } from '../../ui/page.tsx';
import { Loading } from '../../ui/problem.tsx';
import { words } from '../../words/email/templates.ts';

interface PreviewPaneProps {
  rendered: Reply<'previewTemplate'> | undefined;
  problem: ApiProblem | null;
}

/** A template as it will look, on a phone or on a desk. */
export function PreviewPane({ rendered, problem }: PreviewPaneProps) {
  const [width, setWidth] = useState<'phone' | 'desktop'>('desktop');
  return (
    <Card
      title={words.preview}
      lead={words.previewLead}
      actions={
        <div role="group" aria-label={words.width} className="flex gap-1">
          <Button
            icon={Smartphone}
            aria-pressed={width === 'phone'}
            look={width === 'phone' ? 'primary' : 'secondary'}
            onClick={() => setWidth('phone')}
          >
            {words.phone}
          </Button>
          <Button
            icon={Monitor}
            aria-pressed={width === 'desktop'}
            look={width === 'desktop' ? 'primary' : 'secondary'}
            onClick={() => setWidth('desktop')}
          >
            {words.desktop}
          </Button>
        </div>
      }
    >
      {problem !== null && (
        <Notice tone="warn" title={words.broken}>
          <p>{problem.message}</p>
        </Notice>
      )}
      {rendered === undefined && problem === null && <Loading />}
      {rendered !== undefined && (
        <div className="flex flex-col gap-3">
          {rendered.subject !== null && (
            <p className="break-words">
              <span className="text-sm text-soft">{words.previewSubject}: </span>
              <span className="font-medium">{rendered.subject}</span>
            </p>
          )}
          {rendered.missing.length > 0 && <p className="text-sm text-warn">{words.missing(rendered.missing)}</p>}
          <div className="rounded-md bg-sunken p-2">
            <HtmlFrame
              title={words.preview}
              html={rendered.html}
              className={`mx-auto block h-[32rem] rounded-md border bg-white ${width === 'phone' ? 'w-full max-w-[390px]' : 'w-full'}`}
            />
          </div>
        </div>
      )}
    </Card>
  );
}
