/** Who uses a file is known by others; they hand in the counts, so that this feature need not know them. */
export interface Usage {
  byFile(fids: number[]): Promise<Map<number, number>>;
  byVersion(vids: number[]): Promise<Map<number, number>>;
}

export interface UsageSource {
  reportsOfFiles(fids: number[]): Promise<Map<number, number>>;
  reportsOfVersions(vids: number[]): Promise<Map<number, number>>;
}

/** Counts nothing until a source is connected, once, while the application is put together. */
export class LateUsage implements Usage {
  #source: UsageSource | null = null;

  connect(source: UsageSource): void {
    if (this.#source) throw new Error('The use of files is counted by one source');
    this.#source = source;
  }

  async byFile(fids: number[]): Promise<Map<number, number>> {
    return this.#source && fids.length > 0 ? this.#source.reportsOfFiles(fids) : new Map();
  }

  async byVersion(vids: number[]): Promise<Map<number, number>> {
    return this.#source && vids.length > 0 ? this.#source.reportsOfVersions(vids) : new Map();
  }
}
