import { CodeEditor } from '../../../ui/code-editor.tsx';
import { Field, Select, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { words } from '../../../words/builder/looks.ts';
import { useBuilder } from '../builder-context.ts';
import { Preview } from '../preview/preview.tsx';
import { ColourSetting } from './colour-setting.tsx';
import { LogoSetting } from './logo-setting.tsx';
import { THEME, type ThemeName, themeIn, withTheme } from './theme.ts';

const COLOURS = ['--accent', '--ink', '--soft'] as const;

/** The looks of a form: colours, letters and logo by choice, the rest by HTML and CSS; beside it how it looks. */
export function LooksView() {
  const { draft, edit, mayEdit } = useBuilder();
  const setCss = (css: string, merge: string) => edit((now) => ({ ...now, css }), `css:${merge}`);
  const set = (name: ThemeName, value: string | null) => setCss(withTheme(draft.css, name, value), name);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <fieldset disabled={!mayEdit} className="flex min-w-0 flex-col gap-4">
        <legend className="sr-only">{words.colours}</legend>
        <Card title={words.colours} lead={words.coloursLead}>
          <div className="flex flex-col gap-4">
            {COLOURS.map((name) => (
              <ColourSetting key={name} name={name} css={draft.css} onChange={(value) => set(name, value)} />
            ))}
          </div>
        </Card>
        <Card title={words.shapes}>
          <div className="grid gap-4 sm:grid-cols-2">
            <Chosen label={words.round} name="--round" choices={words.rounds} css={draft.css} onChange={set} />
            <Chosen label={words.font} name="font-family" choices={words.fonts} css={draft.css} onChange={set} />
          </div>
        </Card>
        <Card title={words.logo} lead={words.logoLead}>
          <LogoSetting />
        </Card>
        <Card title={words.code} lead={words.codeLead}>
          <div className="flex flex-col gap-4">
            <div className="flex flex-col gap-1">
              <p className="text-sm font-medium">{words.html}</p>
              <CodeEditor
                label={words.html}
                value={draft.html}
                onChange={(html) => edit((now) => ({ ...now, html }), 'html')}
              />
            </div>
            <Field label={words.css}>
              <Textarea
                rows={8}
                className="font-mono text-sm"
                spellCheck={false}
                value={draft.css}
                onChange={(event) => setCss(event.target.value, 'text')}
              />
            </Field>
          </div>
        </Card>
      </fieldset>
      <Card title={words.preview}>
        <Preview />
      </Card>
    </div>
  );
}

interface ChosenProps {
  label: string;
  name: ThemeName;
  choices: Record<string, string>;
  css: string;
  onChange(name: ThemeName, value: string | null): void;
}

function Chosen({ label, name, choices, css, onChange }: ChosenProps) {
  const value = themeIn(css, name) ?? THEME[name];
  return (
    <Field label={label}>
      <Select
        value={value}
        onChange={(event) => onChange(name, event.target.value === THEME[name] ? null : event.target.value)}
      >
        {!Object.hasOwn(choices, value) && <option value={value}>{words.ownValue}</option>}
        {Object.entries(choices).map(([each, said]) => (
          <option key={each} value={each}>
            {said}
          </option>
        ))}
      </Select>
    </Field>
  );
}
