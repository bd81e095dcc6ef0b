BEGIN TRANSACTION;
CREATE TABLE unplaced (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    message_id TEXT NOT NULL UNIQUE,
    fingerprint INTEGER NOT NULL,
    is_selection INTEGER NOT NULL,
    context_id TEXT,
    document TEXT NOT NULL,
    element BLOB,
    viewport BLOB,
    root TEXT,
    is_left INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL,
    at INTEGER NOT NULL
);
INSERT INTO "unplaced" VALUES(1,'s_tab','https://shop.test','https://shop.test/cart','Cart','m_a08ed0eebfe53c0e89715c2a22079add',7366122672479503088,1,'ctx_e2245b982a8a0e3306ef2f8511343ab3','{"id":"ctx_e2245b982a8a0e3306ef2f8511343ab3","sessionId":"s_tab","element":{"tagName":"BUTTON","id":"buy","classList":["btn","buy"],"textContent":"Buy now","attributes":{"class":"btn buy","id":"buy"},"boundingBox":{"x":10.0,"y":20.5,"width":80.0,"height":24.0}},"ancestors":[{"tagName":"MAIN","classList":["page"],"id":"main"},{"tagName":"BODY","classList":[]}],"children":[{"tagName":"SPAN","classList":["label"],"textContent":"Buy now"}],"page":{"url":"https://shop.test/cart","title":"Cart"},"createdAt":1795537166237}',NULL,NULL,NULL,0,1171,1795537166237);
INSERT INTO "unplaced" VALUES(2,'s_tab','https://shop.test','https://shop.test/cart','Cart','m_489d546ec84a5af31a7caa185d222215',-4754527955542181510,0,'ctx_e2245b982a8a0e3306ef2f8511343ab3','Make it bigger',NULL,NULL,NULL,0,664,1795537166414);
CREATE INDEX unplaced_by_page ON unplaced (session_id, origin, number);
CREATE UNIQUE INDEX unplaced_selections ON unplaced (context_id) WHERE is_selection = 1;
CREATE INDEX unplaced_by_age ON unplaced (at);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('unplaced',2);
COMMIT;
