/** The ways to try a method, at the head of its help page. */
import { CaretRightOutlined, DownloadOutlined, PlayCircleOutlined, PrinterOutlined } from '@ant-design/icons';
import type { HelpPage } from '@hengxi/server/help/schema';
import { Button } from 'antd';
import { useNavigate } from 'react-router';

import { prompts } from '../../lib/prompts.ts';
import { useSession } from '../../lib/session.ts';
import { methodAddress, noVideo } from './help-article.tsx';

export function HelpActions({ page }: { page: HelpPage }) {
  const navigate = useNavigate();
  const signedIn = useSession((state) => state.token !== null);
  const target = methodAddress(page.path);
  const open = () => {
    if (signedIn) void navigate(target);
    else {
      void navigate(`?login=1&next=${encodeURIComponent(target)}`);
      prompts.openLogin();
    }
  };
  return (
    <>
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
        href={page.record.video_link ?? noVideo(page.slug)}
        target="_blank"
        rel="noreferrer"
      >
        视频
      </Button>
      <Button icon={<PrinterOutlined aria-hidden />} onClick={() => print()}>
        打印
      </Button>
    </>
  );
}
