/**
 * The menu behind a button. It takes the keys as soon as it is open, and whoever leaves it, by Esc or by choosing, is back where he was:
 * antd's own waits for Tab before its items hear the arrow keys, and drops the focus with the item that was chosen.
 */
// oxlint-disable-next-line no-restricted-imports -- this is the one place
import { Dropdown, type DropdownProps } from 'antd';
import { cloneElement, type ReactElement, useState } from 'react';

import { useFocusAfterMenu } from './focus-back.ts';

export interface DropMenuProps extends Pick<DropdownProps, 'placement' | 'rootClassName' | 'disabled'> {
  menu: NonNullable<DropdownProps['menu']>;
  /** A click on the button, if nothing else is said. */
  trigger?: 'click' | 'contextMenu';
  children: ReactElement<{ 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;
}

export function DropMenu({ trigger = 'click', children, ...props }: DropMenuProps) {
  const [open, setOpen] = useState(false);
  useFocusAfterMenu(open);
  const button =
    trigger === 'click' ? cloneElement(children, { 'aria-haspopup': 'menu', 'aria-expanded': open }) : children;
  return (
    <Dropdown
      {...props}
      trigger={[trigger]}
      open={open}
      onOpenChange={setOpen}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the menu was asked for
      autoFocus
      // Made anew each time: it would go on at the item it was left at.
      destroyOnHidden
    >
      {button}
    </Dropdown>
  );
}
