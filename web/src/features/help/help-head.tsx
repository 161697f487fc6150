/** Head of a method's help page: what it answers, what it needs, and the ways to try it. */
import { CaretRightOutlined, DownloadOutlined, PlayCircleOutlined, PrinterOutlined } from '@ant-design/icons';
import type { HelpPage } from '@hengxi/server/help/schema';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import styles from './help-page.module.css';

/** Says that there is no film yet, and what there is instead. */
const NO_VIDEO = '/dochelpempty';

export function HelpHead({ page }: { page: HelpPage }) {
  const navigate = useNavigate();
  const signedIn = useSession((state) => state.token !== null);
  const target = `/analysis/index?method=${encodeURIComponent(page.path)}`;
  const open = () => {
    if (signedIn) void navigate(target);
    else {
      void navigate(`?login=1&next=${encodeURIComponent(target)}`);
      prompts.openLogin();
    }
  };
  return (
    <header className={styles['head']}>
      <h1>{page.title}</h1>
      <p lang="en" className={styles['english']}>
        {page.title_en}
      </p>
      <p className={styles['purpose']}>{page.purpose}</p>
      <p className={styles['needs']}>
        <span className={styles['tier']}>{page.tier === 'member' ? '会员' : '标准'}</span>
        需要：{page.needs}
      </p>
      <div className={styles['actions']}>
        <Button type="primary" icon={<CaretRightOutlined aria-hidden />} onClick={open}>
          打开方法
        </Button>
        {page.record.example_data ? (
          <Button icon={<DownloadOutlined aria-hidden />} href={page.record.example_data} download>
            示例数据
          </Button>
        ) : null}
        <Button
          icon={<PlayCircleOutlined aria-hidden />}
          href={page.record.video_link ?? NO_VIDEO}
          target="_blank"
          rel="noreferrer"
        >
          视频
        </Button>
        <Button icon={<PrinterOutlined aria-hidden />} onClick={() => print()}>
          打印
        </Button>
      </div>
    </header>
  );
}
