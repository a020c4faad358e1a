import './rich-text.css';
import { EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect } from 'react';
import type { TextPart } from '../../../../src/marketing/mailings/content/blocks.ts';
import type { MergeField } from '../write/merge-fields.ts';
import { MergeMenu } from '../write/merge-menu.tsx';
import { FormatBar } from './format-bar.tsx';
import { documentOf, partsOf } from './rich-document.ts';

interface RichTextFieldProps {
  label: string;
  parts: readonly TextPart[];
  fields: readonly MergeField[];
  onChange(parts: TextPart[]): void;
}

const LEADS_SOMEWHERE = /^(https?:\/\/|mailto:|tel:|\{\{)/i;

/** What mails can show everywhere, and no more. Steps are taken back by the editor of the whole mailing. */
const KIT = StarterKit.configure({
  blockquote: false,
  code: false,
  codeBlock: false,
  heading: false,
  horizontalRule: false,
  strike: false,
  underline: false,
  undoRedo: false,
  trailingNode: false,
  link: { openOnClick: false, autolink: false, isAllowedUri: (url) => LEADS_SOMEWHERE.test(url) },
});

/** A text with emphasis, lists, links and fields of people. */
export function RichTextField({ label, parts, fields, onChange }: RichTextFieldProps) {
  const editor = useEditor({
    extensions: [KIT],
    injectCSS: false,
    content: documentOf(parts),
    editorProps: {
      attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' },
      // Tab leaves the text, as it leaves every other control.
      handleDOMEvents: { keydown: (_view, event) => event.key === 'Tab' },
    },
    onUpdate: ({ editor: changed }) => onChange(partsOf(changed.getJSON())),
  });
  useEffect(() => {
    const isShown = JSON.stringify(partsOf(editor.getJSON())) === JSON.stringify(parts);
    if (!isShown) editor.commands.setContent(documentOf(parts), { emitUpdate: false });
  }, [editor, parts]);
  return (
    <div className="rich-text overflow-hidden rounded-md border border-line-strong bg-surface">
      <div className="flex flex-wrap items-center border-b bg-sunken px-1">
        <FormatBar editor={editor} />
        <MergeMenu
          into={label}
          fields={fields}
          onPick={(mustache) => editor.chain().focus().insertContent(mustache).run()}
        />
      </div>
      <EditorContent editor={editor} />
    </div>
  );
}
