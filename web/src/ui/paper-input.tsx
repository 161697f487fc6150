/** The hidden input behind a button that uploads a paper: a picture or a PDF, as the server takes them. */
import type { RefObject } from 'react';

const PAPER_BYTES = 10_000_000;

interface Props {
  input: RefObject<HTMLInputElement | null>;
  onFile: (file: File) => void;
  onFault: (text: string) => void;
}

export function PaperInput({ input, onFile, onFault }: Props) {
  return (
    <input
      ref={input}
      type="file"
      className="hx-hidden"
      tabIndex={-1}
      aria-hidden
      accept="image/png,image/jpeg,image/webp,application/pdf"
      onChange={(event) => {
        const file = event.target.files?.[0];
        // The same file may be chosen again after it was mended.
        event.target.value = '';
        if (file && file.size > PAPER_BYTES) onFault('文件超过 10 MB，请压缩后再传');
        else if (file) onFile(file);
      }}
    />
  );
}
