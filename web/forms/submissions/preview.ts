const MOST = 3;

/** The first answers of a submission in a line, to tell one from another. */
export function previewOf(formData: string): string {
  let answers: unknown;
  try {
    answers = JSON.parse(formData);
  } catch {
    return '';
  }
  if (typeof answers !== 'object' || answers === null) return '';
  const texts = Object.values(answers).flatMap((answer: unknown) => {
    if (typeof answer === 'number') return [String(answer)];
    if (typeof answer !== 'string' || answer.startsWith('data:')) return [];
    return answer.trim() === '' ? [] : [answer.trim()];
  });
  return texts.slice(0, MOST).join(' · ');
}
