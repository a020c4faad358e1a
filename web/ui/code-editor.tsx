import { lazy, Suspense } from 'react';
import { Loading } from './problem.tsx';

const Editor = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }));

interface CodeEditorProps {
  label: string;
  value: string;
  /** To be looked at and copied, not to be changed. */
  readOnly?: boolean;
  onChange(value: string): void;
}

/** A place to write HTML in, loaded only where somebody writes HTML. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Editor {...props} />
    </Suspense>
  );
}
