import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { ELEMENTS } from '@hengxi/contracts/testing/elements';
import { MAIN, report } from '@hengxi/contracts/testing/reports';
import { open, serve } from '../../report/testing/server.tsx';
import { SharePage } from './share-page.tsx';

const SHARED = {
  title: '运动时长',
  method: '独立样本t检验',
  document: report([
    ELEMENTS.lead,
    { ...MAIN, rows: [MAIN.rows[0]!, [MAIN.rows[1]![0]!, null, ...MAIN.rows[1]!.slice(2)]], marks: { '1,1': '＜5' } },
  ]),
  presentation: { voice: 'brief' },
  hide_small: true,
  made_at: '2026-11-21T06:03:00Z',
  ends_at: '2026-12-21T06:03:00Z',
};
const visit = () => open('/s/:shareid', '/s/abcdefghijklmnopqrstuv', <SharePage />);
const SHARE = 'GET /v1/analysis/report/share';

describe('a shared report', () => {
  test('opens with its code alone: no token, title, snapshot date, hidden counts said', async () => {
    localStorage.clear();
    const log = serve({ [SHARE]: () => SHARED });
    visit();
    await screen.findByRole('heading', { name: '运动时长' });
    expect(log.map((a) => [a.path, a.query.get('code')])).toEqual([
      ['/v1/analysis/report/share', 'abcdefghijklmnopqrstuv'],
    ]);
    expect(document.body.textContent).toContain('快照，不会再变');
    expect(document.body.textContent).toContain('小于 5 的频数已隐藏。');
    expect(screen.getByRole('table').textContent).toContain('女＜53.21');
  });

  test('gives a visitor copying and the outline, no edits', async () => {
    serve({ [SHARE]: () => SHARED });
    visit();
    await screen.findByRole('heading', { name: '运动时长' });
    expect(screen.queryByRole('button', { name: /更多：小数位/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: '目录' }));
    await waitFor(() => expect(screen.getAllByRole('link', { name: '样本说明' }).length).toBeGreaterThan(1));
  });

  test('unknown, ended and expired links read the same and offer a way on', async () => {
    serve({ [SHARE]: () => ({ status: 404, err_code: 30004, msg: '分享不存在或已结束' }) });
    visit();
    await screen.findByText('分享不存在或已结束');
    expect(screen.getByRole('link', { name: '去衡析首页' })).toBeTruthy();
    expect(document.body.textContent).not.toContain('30004');
  });

  test('a server that does not answer is not called an ended link', async () => {
    serve({ [SHARE]: () => ({ status: 503, err_code: 30095, msg: '分析服务暂不可用，请稍后再试' }) });
    visit();
    await screen.findByText('报告没有打开');
    expect(screen.getByText('分析服务暂不可用，请稍后再试')).toBeTruthy();
    expect(screen.getByRole('button', { name: /重\s*试/ })).toBeTruthy();
  });
});
