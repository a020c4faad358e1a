import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface CodeMirrorProps {
  label: string;
  value: string;
  readOnly?: boolean;
  onChange(value: string): void;
}

// In the dark the whole is turned round, so that these are the colours of the light.
const LOOK = EditorView.theme({
  '&': { fontSize: '13px', maxHeight: '32rem' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)', minHeight: '14rem' },
  '.cm-content': { caretColor: 'black' },
  '.cm-gutters': { background: 'transparent', color: 'inherit', opacity: '0.7', border: 'none' },
});

/** CodeMirror for HTML. Tab leaves it, as it leaves every other control. */
export function CodeMirror({ label, value, readOnly = false, onChange }: CodeMirrorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          syntaxHighlighting(defaultHighlightStyle),
          html(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly),
          EditorView.cspNonce.of(nonceOfPage()),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => update.docChanged && tell.current(update.state.doc.toString())),
          LOOK,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, readOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return (
    <div
      ref={place}
      className="overflow-hidden rounded-md border border-line-strong bg-white text-black dark:invert dark:hue-rotate-180"
    />
  );
}

/** What the policy of the page asks of styles that are added while it runs. */
function nonceOfPage(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
}
