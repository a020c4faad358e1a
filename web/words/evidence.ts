/** The words around the evidence of delivery. */
export const words = {
  evidence: 'Download evidence',
  evidenceName: (id: string) => `evidence-${id}.json`,
  evidenceReady: 'The evidence was saved. `carepost evidence verify` checks it.',
};
