/** Every field type and report element in every state, for people who build the product; the built product has no such page. */
import '../ui/tokens.css';
import '../ui/base.css';

import { DRAWINGS, SOLVING } from '@hengxi/contracts/testing/toys';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ConfigProvider } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';

import { useAppearance } from '../lib/appearance.ts';
import { ReportView } from '../report/report-view.tsx';
import { antdTheme } from '../ui/theme.ts';
import { FieldGallery } from './field-gallery.tsx';
import styles from './gallery.module.css';

const root = document.getElementById('root');
if (!root) throw new Error('gallery.html has no #root');

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

function Gallery() {
  return (
    <main className={styles['page']}>
      <h1>部件陈列</h1>
      <FieldGallery />
      {[DRAWINGS, SOLVING].map((report) => (
        <section key={report.path} aria-label={report.title} className={styles['report']}>
          <h2>{report.title}</h2>
          <ReportView report={report} />
        </section>
      ))}
    </main>
  );
}

function Themed() {
  const appearance = useAppearance((state) => state.shown);
  const router = createMemoryRouter([{ path: '*', element: <Gallery /> }]);
  return (
    <ConfigProvider theme={antdTheme(appearance, true)} locale={zhCN} wave={{ disabled: true }}>
      <RouterProvider router={router} />
    </ConfigProvider>
  );
}

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Themed />
    </QueryClientProvider>
  </StrictMode>,
);
