/** Forms whose faults stand at their fields: what is told, when it goes, and what is sent. */
import type { EduAuth } from '@hengxi/server/membership/schema';
import type { Order } from '@hengxi/server/orders/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { open, serve } from '../../report/testing/server.tsx';
import { EducationForm } from './education/education-form.tsx';
import { InvoiceDialog } from './orders/invoice-dialog.tsx';

vi.setConfig({ testTimeout: 30_000 });

/** Beside a choice of the same name, the box to type into. */
const boxOf = (label: string): HTMLElement => screen.getByLabelText(label, { selector: 'input:not([type=radio])' });
const type = (label: string, value: string): void => void fireEvent.change(boxOf(label), { target: { value } });
const press = (name: RegExp): void => void fireEvent.click(screen.getByText(name));
const faults = (): (string | null)[] => screen.queryAllByRole('alert').map((one) => one.textContent);

const KNOWN: EduAuth = {
  status: null,
  kind: null,
  name: null,
  school: null,
  role: null,
  email: null,
  chsi_code: null,
  has_proof: false,
  reason: null,
  valid_to: null,
  submitted_at: null,
  ways: ['email', 'chsi', 'document'],
  review_days: 2,
};

test('a school mailbox is proved by the code that was sent to it', async () => {
  const log = serve({
    'POST /v1/user/edu-auth/code': () => ({ verify_key: 'key-1' }),
    'POST /v1/user/edu-auth': () => ({ ...KNOWN, status: 1 }),
  });
  const onDone = vi.fn<() => void>();
  open('/', '/', <EducationForm known={KNOWN} onDone={onDone} />);
  press(/提交认证/);
  expect(faults()).toEqual(['请填写姓名', '请填写学校全称', '请输入正确的邮箱', '请先获取验证码']);
  type('姓名', '李雷');
  expect(faults()).toEqual(['请填写学校全称', '请输入正确的邮箱', '请先获取验证码']);
  type('学校全称', '某大学');
  type('学校邮箱', 'lilei@example.edu');
  press(/发送验证码/);
  await screen.findByText(/重新发送/);
  press(/提交认证/);
  expect(faults()).toEqual(['验证码不能为空']);
  type('验证码', '12x3456');
  press(/提交认证/);
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(log.find(({ path }) => path === '/v1/user/edu-auth')?.body).toEqual({
    kind: 'email',
    role: 'student',
    name: '李雷',
    school: '某大学',
    email: 'lilei@example.edu',
    verify_key: 'key-1',
    verify_code: '123456',
  });
});

test('an invoice for a company wants a tax number', async () => {
  const log = serve({ 'POST /v1/user/orders/invoice': () => ({ id: 1, state: 'asked' }) });
  const order = {
    order_no: 'HX1',
    subscription: { id: 21, title: '月度会员', calculate_type: 1 },
    total_fee: 3900,
    refunded: 100,
    invoice: null,
  } as Order;
  const onDone = vi.fn<() => void>();
  open('/', '/', <InvoiceDialog order={order} onDone={onDone} onClose={() => undefined} />);
  expect(screen.getByText('¥38.00')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('企业'));
  type('发票抬头', '衡量科技');
  type('税号', '123');
  type('接收邮箱', 'a@b');
  press(/^提\s?交$/);
  expect(faults()).toEqual(['税号为 15、17、18 或 20 位数字或大写字母', '请输入正确的邮箱']);
  type('税号', ' 91350100m000100y43 ');
  type('接收邮箱', 'a@b.cn');
  expect(faults()).toEqual([]);
  press(/^提\s?交$/);
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(log.at(-1)?.body).toEqual({
    order_no: 'HX1',
    kind: 'company',
    title: '衡量科技',
    tax_no: '91350100M000100Y43',
    email: 'a@b.cn',
  });
});
