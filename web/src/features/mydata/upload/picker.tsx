/** A button that asks for one file. */
import { Button, type ButtonProps } from 'antd';
import { type ReactNode, useRef } from 'react';

interface PickerProps extends Pick<ButtonProps, 'disabled' | 'icon' | 'type'> {
  accept: readonly string[];
  label: string;
  onPick: (file: File) => void;
  children: ReactNode;
}

export function Picker({ accept, label, onPick, children, disabled = false, icon, type = 'default' }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.map((ending) => `.${ending}`).join(',')}
        aria-label={label}
        onChange={(event) => {
          const [file] = Array.from(event.target.files ?? []);
          event.target.value = '';
          if (file) onPick(file);
        }}
      />
      <Button type={type} size="small" disabled={disabled} icon={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
