import { type Editor, useEditorState } from '@tiptap/react';
import { Bold, Italic, Link, List, ListOrdered, type LucideIcon, Unlink } from 'lucide-react';
import { useState } from 'react';
import { classes } from '../../../ui/classes.ts';
import { words } from '../../../words/blocks.ts';
import { LinkDialog } from './link-dialog.tsx';

/** The buttons over a text. */
export function FormatBar({ editor }: { editor: Editor }) {
  const [linking, setLinking] = useState(false);
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      bullets: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      link: now.isActive('link'),
      href: String(now.getAttributes('link').href ?? ''),
    }),
  });
  const setLink = (href: string) => {
    setLinking(false);
    const { empty } = editor.state.selection;
    const chain = editor.chain().focus();
    if (empty && !on.link) {
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    } else chain.extendMarkRange('link').setLink({ href }).run();
  };
  const { format } = words;
  return (
    <div role="toolbar" aria-label={format.toolbar} className="flex">
      <Toggle label={format.bold} icon={Bold} on={on.bold} press={() => editor.chain().focus().toggleBold().run()} />
      <Toggle
        label={format.italic}
        icon={Italic}
        on={on.italic}
        press={() => editor.chain().focus().toggleItalic().run()}
      />
      <Toggle
        label={format.bullets}
        icon={List}
        on={on.bullets}
        press={() => editor.chain().focus().toggleBulletList().run()}
      />
      <Toggle
        label={format.numbers}
        icon={ListOrdered}
        on={on.numbers}
        press={() => editor.chain().focus().toggleOrderedList().run()}
      />
      <Toggle label={format.link} icon={Link} on={on.link} press={() => setLinking(true)} />
      {on.link && (
        <Toggle
          label={format.unlink}
          icon={Unlink}
          on={false}
          press={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
        />
      )}
      {linking && <LinkDialog href={on.href} onSet={setLink} onClose={() => setLinking(false)} />}
    </div>
  );
}

function Toggle({ label, icon: Icon, on, press }: { label: string; icon: LucideIcon; on: boolean; press(): void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={on}
      onClick={press}
      className={classes('rounded p-2 hover:bg-surface', on && 'bg-brand-soft text-brand')}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
