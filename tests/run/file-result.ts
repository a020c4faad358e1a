/** What came of a test file. */
export interface FileResult {
  /** The titles of what passed. */
  passed: string[];
  failed: number;
  ms: number;
  /** What is shown of it. */
  report: string;
}

/** What a lane answers. */
export interface LaneAnswer extends FileResult {
  /** What its process takes by now. */
  memory: number;
}
