import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { addressOf } from '../../../api/client.ts';
import { words } from '../../../words/forms/submission.ts';
import type { Submission } from './page.tsx';

/** What others may do with the page of a submission. */
export interface FilledInHandle {
  print(): void;
}

const LEAST_PX = 480;

/** The form as it looked then, filled in. Nothing in it runs; it is only measured and printed from here. */
export function FilledIn({ submission, ref }: { submission: Submission; ref: Ref<FilledInHandle> }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LEAST_PX);
  useImperativeHandle(ref, () => ({ print: () => frame.current?.contentWindow?.print() }));
  const measure = () =>
    setHeight(Math.max(LEAST_PX, frame.current?.contentDocument?.documentElement.scrollHeight ?? 0));
  return (
    <iframe
      // An amendment stands in it too.
      key={submission.amendments.length}
      ref={frame}
      title={words.page}
      src={addressOf('showSubmission', { params: { id: submission.form_id, sid: submission.id } })}
      sandbox="allow-same-origin allow-modals"
      onLoad={measure}
      style={{ height }}
      className="w-full rounded-lg border bg-white"
    />
  );
}
