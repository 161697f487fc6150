import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { HelpStrip } from './method-head.tsx';

const links = () => screen.getAllByRole('link').map((link) => link.textContent?.trim());

test('a film is offered only where there is one', () => {
  const help = { doc_link: '/help/frequency/', video_link: null, example_data: null };
  const { rerender } = render(<HelpStrip help={help} />);
  expect(links()).toEqual(['帮助文档']);
  rerender(<HelpStrip help={{ ...help, video_link: 'https://video.example/frequency' }} />);
  expect(links()).toEqual(['操作视频', '帮助文档']);
});
