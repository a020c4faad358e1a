import type { FormModel, Page } from '../model/form-model.ts';

/** A form whose pages stand below each other on one, so that no answer travels from one to the next. */
export function asOnePage(model: FormModel): FormModel {
  const [only] = model.pages;
  if (only === undefined || (model.pages.length === 1 && only.showWhen === null)) return model;
  const items = model.pages.map((page) => ({ ...page, kind: 'section' as const }));
  const whole: Page = { id: 'whole', title: null, showWhen: null, items };
  return { ...model, pages: [whole] };
}
