import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { HelpStrip } from './method-head.tsx';

const links = () => screen.getAllByRole('link').map((link) => link.textContent?.trim());

test('a film is offered only where there is one', () => {
  const help = { doc_link: '/help/frequency/', video_link: null, example_data: null };
  const { rerender } = render(<HelpStrip onExample={() => undefined} help={help} />);
  expect(links()).toEqual(['帮助文档']);
  rerender(<HelpStrip onExample={() => undefined} help={{ ...help, video_link: 'https://video.example/frequency' }} />);
  expect(links()).toEqual(['操作视频', '帮助文档']);
});

test('a method without data fills its form with the example instead of offering a table', () => {
  const onExample = vi.fn<() => void>();
  const help = { doc_link: '/help/x/', video_link: null, example_data: '/data/x.json' };
  render(<HelpStrip onExample={onExample} help={help} />);
  expect(links()).toEqual(['帮助文档']);
  fireEvent.click(screen.getByRole('button', { name: '填入示例' }));
  expect(onExample).toHaveBeenCalledOnce();
});
