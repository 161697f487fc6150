/** “…” around a text that may hold quotes itself: those within become ‘…’. */
export const quoted = (text: string): string => `“${text.replaceAll('“', '‘').replaceAll('”', '’')}”`;
