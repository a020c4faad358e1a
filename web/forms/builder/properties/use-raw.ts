import type { Plain } from '../../../../src/forms/model/compile/settings.ts';
import { useBuilder } from '../builder-context.ts';
import { locate, type Setting, settingsOf, textOf, valueAt, withSetting } from '../draft/settings.ts';
import { changeElement, changePage } from '../draft/tree.ts';

/** What is selected, as it is written: reads its settings and changes them. */
export interface Raw {
  key: string;
  raw: unknown;
  text(setting: Setting): string;
  flag(setting: Setting): boolean;
  value(setting: Setting): unknown;
  /** Undefined takes the setting away. */
  set(setting: Setting, value: unknown): void;
  change(make: (raw: unknown) => Plain, merge: string): void;
}

/** The settings of a page or an element, by its key. */
export function useRaw(key: string, raw: unknown): Raw {
  const { edit } = useBuilder();
  const change: Raw['change'] = (make, merge) =>
    edit((draft) => {
      const page = draft.pages.some((each) => each.key === key);
      if (page) return changePage(draft, key, (each) => ({ ...each, raw: make(each.raw) }));
      return changeElement(draft, key, (each) => ({ ...each, raw: make(each.raw) }));
    }, `${key}:${merge}`);
  return {
    key,
    raw,
    text: (setting) => textOf(raw, setting),
    flag: (setting) => settingsOf(raw).flag(...setting.keys),
    value: (setting) => {
      const path = locate(raw, setting.keys);
      return path === null ? undefined : valueAt(raw, path);
    },
    set: (setting, value) => change((each) => withSetting(each, setting, value), setting.as),
    change,
  };
}
