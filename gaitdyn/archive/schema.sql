CREATE TABLE subject (
        id INTEGER PRIMARY KEY,
        pseudonym TEXT NOT NULL UNIQUE,
        sex TEXT);

CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        subject_id INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
        name TEXT NOT NULL,
        UNIQUE (subject_id, name));

CREATE TABLE trial (
        id INTEGER PRIMARY KEY,
        session_id INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
        name TEXT NOT NULL,
        condition TEXT NOT NULL,
        model TEXT NOT NULL,
        profile TEXT NOT NULL,
        moments_in TEXT NOT NULL,
        convention TEXT NOT NULL,
        verdict TEXT NOT NULL,
        age_years REAL,
        mass_kg REAL,
        height_m REAL,
        file_sha256 TEXT NOT NULL,
        result_sha256 TEXT NOT NULL UNIQUE,
        newest INTEGER NOT NULL CHECK (newest IN (0, 1)));

CREATE INDEX trial_of_session ON trial (session_id);

CREATE INDEX trial_of_file ON trial (file_sha256);

CREATE TABLE cycle (
        id INTEGER PRIMARY KEY,
        trial_id INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
        side TEXT NOT NULL CHECK (side IN ('left', 'right')),
        number INTEGER NOT NULL,
        start_s REAL,
        stop_s REAL,
        foot_off_percent REAL,
        speed REAL,
        speed_nondimensional REAL,
        kinetics TEXT NOT NULL,
        UNIQUE (trial_id, side, number));

CREATE TABLE quantity (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('curve', 'parameter', 'peak')),
        name TEXT NOT NULL,
        unit TEXT NOT NULL,
        UNIQUE (kind, name, unit));

CREATE TABLE parameter (
        cycle_id INTEGER NOT NULL REFERENCES cycle ON DELETE CASCADE,
        quantity_id INTEGER NOT NULL REFERENCES quantity,
        value REAL NOT NULL,
        PRIMARY KEY (cycle_id, quantity_id)) WITHOUT ROWID;

CREATE TABLE peak (
        cycle_id INTEGER NOT NULL REFERENCES cycle ON DELETE CASCADE,
        quantity_id INTEGER NOT NULL REFERENCES quantity,
        value REAL NOT NULL,
        percent REAL,
        PRIMARY KEY (cycle_id, quantity_id)) WITHOUT ROWID;

CREATE TABLE curve (
        cycle_id INTEGER NOT NULL REFERENCES cycle ON DELETE CASCADE,
        quantity_id INTEGER NOT NULL REFERENCES quantity,
        samples BLOB NOT NULL CHECK (length(samples) = 404),
        PRIMARY KEY (cycle_id, quantity_id)) WITHOUT ROWID;

CREATE TABLE quality (
        trial_id INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
        number INTEGER NOT NULL,
        level TEXT NOT NULL,
        code TEXT NOT NULL,
        scope TEXT NOT NULL,
        value REAL,
        bound REAL,
        message TEXT NOT NULL,
        PRIMARY KEY (trial_id, number)) WITHOUT ROWID;

CREATE TABLE provenance (
        trial_id INTEGER PRIMARY KEY REFERENCES trial ON DELETE CASCADE,
        gaitdyn TEXT NOT NULL,
        document TEXT NOT NULL);
