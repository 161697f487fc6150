/** The address of a version where only the rows of a condition are shown; `step`: they are what this step left out. */
export function rowsUrl(vid: number, condition: string, step?: number): string {
  const params = new URLSearchParams({ rows: condition, ...(step === undefined ? {} : { step: String(step) }) });
  return `/mydata/detail/${vid}?${params.toString()}`;
}
